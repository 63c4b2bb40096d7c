//! What a graph says that no single state of it shows.

#![allow(dead_code, reason = "not every suite asks both")]

/// The nodes from which no resolved one can be reached.
pub(crate) fn unresolvable(edges: &[(u32, u32)], resolved: &[bool]) -> Vec<bool> {
    // The edges by their end, as one list with a place where each node's begin.
    let mut begins = vec![0; resolved.len() + 1];
    for (_, to) in edges {
        begins[*to as usize + 1] += 1;
    }
    for node in 0..resolved.len() {
        begins[node + 1] += begins[node];
    }
    let (mut free, mut sources) = (begins.clone(), vec![0; edges.len()]);
    for (from, to) in edges {
        let place = &mut free[*to as usize];
        sources[*place] = *from;
        *place += 1;
    }
    let mut dead: Vec<_> = resolved.iter().map(|resolved| !resolved).collect();
    let mut open: Vec<_> = (0..resolved.len()).filter(|node| resolved[*node]).collect();
    while let Some(node) = open.pop() {
        for from in &sources[begins[node]..begins[node + 1]] {
            if std::mem::take(&mut dead[*from as usize]) {
                open.push(*from as usize);
            }
        }
    }
    dead
}

/// Whether some way leads back to where it came from.
pub(crate) fn is_cyclic(edges: &[(u32, u32)], nodes: usize) -> bool {
    let mut ways_in = vec![0u32; nodes];
    let mut after = vec![Vec::new(); nodes];
    for (from, to) in edges {
        ways_in[*to as usize] += 1;
        after[*from as usize].push(*to);
    }
    let mut open: Vec<_> = (0..nodes).filter(|node| ways_in[*node] == 0).collect();
    let mut taken = 0;
    while let Some(node) = open.pop() {
        taken += 1;
        for to in &after[node] {
            ways_in[*to as usize] -= 1;
            if ways_in[*to as usize] == 0 {
                open.push(*to as usize);
            }
        }
    }
    taken < nodes
}
