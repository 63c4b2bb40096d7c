/*
 * The idempotency contract of docs/contracts/orders.toml under the scenario "everything", written once more.
 *
 * The world in model/src is written in Rust around the protocol that the real server runs. This file says the same in
 * another language, from the meaning and with none of that code: if both have the same number of states and of
 * transitions at the same bounds, a slip in one of them would have to be repeated in the other to stay unseen.
 * README.md beside it says how it is run, and what the equality proves.
 *
 * One process, one loop. Every option of the loop is one step of the world: an arrival, a step of a worker, the passing
 * of a period, or a fault. Each is a d_step, so that the states between its statements are not counted.
 *
 * What makes it shorter holds for this contract and this scenario only (model/src/peer.rs refuses any other):
 *
 * - One key in one scope, so one record. Every delivery carries it, with the same payload.
 * - A delivery never arrives after the retention of the record, and none is at work on it when that ends. No key carries
 *   its time, so none is refused as stale.
 * - The client retries whatever it is told that is not final, and stops for good at its deadline. So it awaits the answer
 *   to its last attempt, and to no other.
 * - Nobody asks the status route, cancels, edits, clicks twice, or hangs up on a handler; no check rejects. So an
 *   attempt is answered in four ways only, and the user is told in two.
 * - The supplier takes our key for as long as it is called again: the window never ends before, and it never forgets.
 *   It is never asked, so no question and no settle time is in here.
 * - One effect has one result, so no message says which: the assertion on effects watches over that.
 * - What the world notes of the past (results named, terminal records written, a retention that ended, flaws) is either
 *   a function of what is kept here, or never happens where every invariant holds.
 */

/* The bounds. Whoever runs this gives them, from the scenario; these are for a run by hand. */
#ifndef ATTEMPTS
#define ATTEMPTS 3      /* how often the client sends, three at the most */
#endif
#ifndef CRASH
#define CRASH 1         /* a process is killed where it stands */
#endif
#ifndef PAUSE
#define PAUSE 1         /* a process pauses for longer than its lease */
#endif
#ifndef REPEAT
#define REPEAT 1        /* a proxy repeats a request */
#endif
#ifndef RETENTION
#define RETENTION 1     /* the retention of a completed record ends */
#endif
#ifndef ERROR
#define ERROR 1         /* a handler ends with nobody knowing whether the effect happened */
#endif
#ifndef GATEWAY
#define GATEWAY 1       /* a gateway answers in place of the server */
#endif

#if ATTEMPTS < 1 || ATTEMPTS > 3 || CRASH > 3 || PAUSE > 3 || REPEAT > 3 || RETENTION > 3 || ERROR > 3 || GATEWAY > 3
#error "there are one to three attempts, and at the most three of each fault"
#endif

/* A reservation is taken once, and taken over only from an owner that was killed, or that paused. */
#define TOKENS (1 + CRASH + PAUSE)

/* ---- The client and what stands before the server ---- */

mtype = { nothing, done, unknown };                         /* what the user was told; nothing: the client waits */

mtype told = nothing;
unsigned attempt : 2 = 1;                                   /* the last attempt that was sent */
bit deadline_over;

/* ---- The record ---- */

mtype = { absent, reserved, called, completed, unresolved, gone };

mtype record = absent;
byte owner;                                                 /* the token of its holder, while in progress */
byte mark;                                                  /* the token under which the call was marked, once called */
bit lease_over;
byte last_token;

#define in_progress (record == reserved || record == called)

/* ---- The workers: two, of any number of processes ---- */

mtype = { idle, running, marked, waiting, finishing };      /* what a worker will do, or waits for, next */

mtype stand[2] = idle;
byte token[2];                                              /* the token under which it works */
byte serves[2];                                             /* the attempt that it will answer; 0: nobody's */
byte sends[2];                                              /* the mark that its call will carry, once marked */

#define busy(w)      (stand[w] != idle)
#define free_worker  (!busy(0) || !busy(1))
#define holds(w)     (in_progress && owner == token[w])
#define owner_lives  ((busy(0) && token[0] == owner) || (busy(1) && token[1] == owner))

/* ---- The supplier, and our own rows ---- */

byte charges;                                               /* how often the card was charged */
byte known_keys;                                            /* by mark, as bits: the keys under which it was charged */
byte rows;                                                  /* how often the order was committed with its completion */

/* ---- The net: how many copies of each message are under way. What is lost is never taken out. ---- */

#define DONE       0
#define IN_FLIGHT  1
#define FAILED     2                                        /* an error, and nothing was stored of it */
#define UNRESOLVED 3

byte requests[4] = { 0, 1, 0, 0 };                          /* by attempt: the first one is under way */
byte answers[4 * ATTEMPTS];
byte calls[TOKENS + 1];                                     /* by the token of the caller: the mark; 0: none */
bit replies[TOKENS + 1];                                    /* by the token of the caller */

#define answer_to(d, what) answers[4 * ((d) - 1) + (what)]

/* ---- What may still go wrong ---- */

unsigned crash : 2 = CRASH;
unsigned pause : 2 = PAUSE;
unsigned repeat : 2 = REPEAT;
unsigned retention : 2 = RETENTION;
unsigned error : 2 = ERROR;
unsigned gateway : 2 = GATEWAY;

hidden byte w;                                              /* scratch: no part of the state */

/* ======== The client ======== */

/* It has no final answer: it sends again, as long as it has attempts left, or says that nobody knows. */
inline retry() {
  if
  :: !deadline_over && attempt < ATTEMPTS -> attempt++; requests[attempt]++
  :: else -> told = unknown
  fi
}

inline hears_nothing() { told == nothing -> retry() }

inline deadline_passes() { told == nothing && !deadline_over -> deadline_over = 1; told = unknown }

inline gateway_answers() { told == nothing && gateway > 0 -> gateway--; retry() }

/* The connection of an earlier attempt is closed, and after the last word every connection is. */
inline is_told(what) {
  told == nothing && answer_to(attempt, what) > 0 ->
  answer_to(attempt, what)--;
  if
  :: what == DONE -> told = done
  :: else -> retry()
  fi
}

inline is_repeated(d) { repeat > 0 && d <= attempt -> repeat--; requests[d]++ }

/* ======== The server ======== */

inline answer(d, what) {
  if
  :: d != 0 -> answer_to(d, what)++
  :: else
  fi
}

/* The worker has said its last word on this delivery. */
inline leave(v, what) {
  answer(serves[v], what);
  stand[v] = idle; token[v] = 0; serves[v] = 0; sends[v] = 0
}

/* A free worker gets the reservation, new or another's, under a token greater than every one before it. */
inline take(d) {
  w = (busy(0) -> 1 : 0);
  assert(last_token < TOKENS);
  last_token++;
  owner = last_token; lease_over = 0;
  token[w] = last_token; serves[w] = d
}

/* By stage: before the mark nothing has left, and the handler runs. After it the same call is made once more. */
inline take_over(d) {
  take(d);
  if
  :: record == called -> stand[w] = marked; sends[w] = mark
  :: else -> stand[w] = running
  fi
}

inline arrives(d) {
  requests[d] > 0 && record != gone && (free_worker || (record != absent && !(in_progress && lease_over))) ->
  requests[d]--;
  if
  :: record == absent -> record = reserved; take(d); stand[w] = running
  :: record == completed -> answer(d, DONE)
  :: record == unresolved -> answer(d, UNRESOLVED)
  :: in_progress && !lease_over -> answer(d, IN_FLIGHT)
  :: in_progress && lease_over -> take_over(d)
  fi
}

/* A process looks for reservations whose lease ended. */
inline recovers() { in_progress && lease_over && free_worker -> take_over(0) }

/* Before it calls, the holder stores under which mark, with a new lease. Whoever lost the reservation does not call. */
inline marks(v) {
  stand[v] == running ->
  if
  :: holds(v) ->
    record = called; mark = token[v]; lease_over = 0;
    stand[v] = marked; sends[v] = mark
  :: else -> leave(v, IN_FLIGHT)
  fi
}

inline sends_call(v) {
  stand[v] == marked ->
  assert(calls[token[v]] == 0 && replies[token[v]] == 0);
  calls[token[v]] = sends[v];
  stand[v] = waiting; sends[v] = 0
}

inline end_record(how) { record = how; owner = 0; mark = 0; lease_over = 0 }

/* Only the holder completes, and our row commits with it. */
inline commit() {
  end_record(completed);
  rows++;
  assert(rows <= 1)
}

inline completes(v) {
  stand[v] == finishing ->
  if
  :: holds(v) -> commit(); leave(v, DONE)
  :: else -> leave(v, IN_FLIGHT)
  fi
}

/*
 * The commit happens and its answer is lost: the worker stores nothing more, for it holds nothing any more. A commit
 * that the fence refuses is not lost: the worker is told of it as ever, and the fault is spent for nothing.
 */
inline completes_unseen(v) {
  stand[v] == finishing && error > 0 ->
  error--;
  if
  :: holds(v) -> commit(); leave(v, FAILED)
  :: else -> leave(v, IN_FLIGHT)
  fi
}

/* From the call on, an error does not say that there was no effect: the holder stores just that. */
inline fails(v) {
  (stand[v] == waiting || stand[v] == finishing) && error > 0 ->
  error--;
  if
  :: holds(v) -> end_record(unresolved); leave(v, UNRESOLVED)
  :: else -> leave(v, FAILED)
  fi
}

/* Nobody is answered. */
inline crashes(v) {
  busy(v) && crash > 0 ->
  crash--;
  stand[v] = idle; token[v] = 0; serves[v] = 0; sends[v] = 0
}

/* ======== The supplier ======== */

/* A key that it knows it answers as it did the first time. */
inline is_called(by) {
  calls[by] != 0 ->
  if
  :: known_keys & (1 << calls[by])
  :: else ->
    known_keys = known_keys | (1 << calls[by]);
    charges++;
    assert(charges <= 1)
  fi;
  calls[by] = 0;
  replies[by] = 1
}

inline gets_reply(v) {
  stand[v] == waiting && replies[token[v]] ->
  replies[token[v]] = 0;
  stand[v] = finishing
}

/* ======== Time in the store ======== */

/* A lease that is not renewed: the owner is gone, or it pauses. */
inline lease_ends() {
  in_progress && !lease_over && (pause > 0 || !owner_lives) ->
  if
  :: owner_lives -> pause--
  :: else
  fi;
  lease_over = 1
}

inline retention_ends() {
  record == completed && retention > 0 && !busy(0) && !busy(1) ->
  retention--;
  end_record(gone)
}

active proctype everything() {
  do
  /* The client, its user, the proxy and the gateway. */
  :: d_step { hears_nothing() }
  :: d_step { deadline_passes() }
  :: d_step { gateway_answers() }
  :: d_step { is_told(DONE) }
  :: d_step { is_told(IN_FLIGHT) }
  :: d_step { is_told(FAILED) }
  :: d_step { is_told(UNRESOLVED) }
  :: d_step { is_repeated(1) }
  #if ATTEMPTS > 1
  :: d_step { is_repeated(2) }
  #endif
  #if ATTEMPTS > 2
  :: d_step { is_repeated(3) }
  #endif

  /* The server. */
  :: d_step { arrives(1) }
  #if ATTEMPTS > 1
  :: d_step { arrives(2) }
  #endif
  #if ATTEMPTS > 2
  :: d_step { arrives(3) }
  #endif
  :: d_step { recovers() }
  :: d_step { marks(0) }
  :: d_step { marks(1) }
  :: d_step { sends_call(0) }
  :: d_step { sends_call(1) }
  :: d_step { gets_reply(0) }
  :: d_step { gets_reply(1) }
  :: d_step { completes(0) }
  :: d_step { completes(1) }
  :: d_step { completes_unseen(0) }
  :: d_step { completes_unseen(1) }
  :: d_step { fails(0) }
  :: d_step { fails(1) }
  :: d_step { crashes(0) }
  :: d_step { crashes(1) }

  /* The supplier. */
  :: d_step { is_called(1) }
  #if TOKENS > 1
  :: d_step { is_called(2) }
  #endif
  #if TOKENS > 2
  :: d_step { is_called(3) }
  #endif
  #if TOKENS > 3
  :: d_step { is_called(4) }
  #endif
  #if TOKENS > 4
  :: d_step { is_called(5) }
  #endif
  #if TOKENS > 5
  :: d_step { is_called(6) }
  #endif
  #if TOKENS > 6
  :: d_step { is_called(7) }
  #endif

  /* Time in the store. */
  :: d_step { lease_ends() }
  :: d_step { retention_ends() }
  od
}
