/**
 * Numbers are handed out in one order and committed in another: a cookie that has passed a number would never come back for a row
 * that commits late. A fence gives registrations places in an order in which nothing appears behind what was already read.
 *
 * @typedef {object} Fence
 * @property {'xid' | 'counter'} name
 * @property {string} place - of PL/pgSQL: sets `at_xid` and `at_seq` for a registration in the namespace `a_ns`
 * @property {string} passed - of SQL: whether all that will ever come before a row is to be seen
 * @property {string} horizon - of SQL: the `low` and `high` between which a transaction may still be open, as text
 * @property {boolean} ordersAll - whether places of different namespaces are comparable
 */

/**
 * On PostgreSQL: by the transaction that wrote a row, then by number, and only what was written by transactions older than the oldest that is
 * open. By number alone, below that bound, rows would still be skipped: numbers and transactions are not handed out in one
 * order. Costs nothing that was measurable, but an open transaction that has written, anywhere in this PostgreSQL, holds back all that is
 * new.
 *
 * @type {Fence}
 */
const XID = {
  name: 'xid',
  place: "at_xid := pg_current_xact_id()::text::bigint; at_seq := nextval('rendezvous_seq');",
  passed: 'xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint',
  horizon:
    'SELECT pg_snapshot_xmin(s)::text AS low, pg_snapshot_xmax(s)::text AS high FROM pg_current_snapshot() s',
  ordersAll: true
}

/**
 * Elsewhere: by a counter of the namespace, whose row stays locked until what took the number is committed, so that REGISTERs in one
 * namespace follow one another, a flush of the disk each. The counter never falls behind the clock: one that was removed with its
 * namespace does not hand out old numbers again.
 *
 * @type {Fence}
 */
const COUNTER = {
  name: 'counter',
  place: `at_xid := 0;
    INSERT INTO rendezvous_namespaces AS counter (ns, seq)
      VALUES (a_ns, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
      ON CONFLICT (ns) DO UPDATE SET seq = greatest(counter.seq + 1, excluded.seq)
      RETURNING seq INTO at_seq;`,
  passed: 'TRUE',
  horizon: "SELECT '0' AS low, '0' AS high",
  ordersAll: false
}

/** fenceNamed is a fence by its name. @param {string} name */
export const fenceNamed = name => (name === COUNTER.name ? COUNTER : XID)

/**
 * fenceFor is the fence for a database. Others speak PostgreSQL's protocol, and some have its functions, but not its transactions.
 *
 * @param {string} version - what `SELECT version()` says
 */
export const fenceFor = version => (/^PostgreSQL \d+(\.\d+)*(?!.*-YB-)/.test(version) ? XID : COUNTER)
