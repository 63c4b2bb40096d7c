//! What a graph says that no single state of it shows.

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
