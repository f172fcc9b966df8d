/**
 * @typedef {object} Statement - is prepared once on each connection
 * @property {string} name
 * @property {string} text
 */

/** What a registration takes in a reply beside its bytes, at most: tags, lengths and ttl. */
const ENTRY_BYTES = 20

/** Namespaces are counted up to this many: more would take long, each time that somebody looks. */
const MOST_NAMESPACES = 20_000

/** Where nothing was counted yet, or all was taken back, a sum is no number. */
const EXPIRED = 'SELECT count(*) FROM rendezvous_registrations WHERE expires_at <= now()'

/**
 * statementsOf are all statements that serve requests.
 *
 * @param {import('./fence.js').Fence} fence
 * @returns {Record<'register' | 'registerMany' | 'unregister' | 'page' | 'pageOfAll' | 'sweep' | 'counts' | 'horizon', Statement>}
 */
export const statementsOf = fence => ({
  register: {
    name: 'rendezvous-register',
    text: 'SELECT rendezvous_register($1, $2, $3, $4, $5, $6, $7, $8) AS outcome'
  },
  registerMany: {
    name: 'rendezvous-register-many',
    text: `SELECT outcome, count(*)::int AS n
      FROM rendezvous_register_many($1::bytea[], $2::bytea[], $3::bytea[], $4::double precision[], $5, $6) AS told (outcome)
      GROUP BY outcome`
  },
  unregister: { name: 'rendezvous-unregister', text: 'SELECT rendezvous_unregister($1, $2) AS removed' },
  page: { name: 'rendezvous-page', text: page(`ns = $5 AND ${fence.passed}`) },
  pageOfAll: { name: 'rendezvous-page-of-all', text: page(fence.passed) },
  sweep: { name: 'rendezvous-sweep', text: 'SELECT rendezvous_sweep($1)::int AS removed' },
  counts: {
    name: 'rendezvous-counts',
    text: `WITH RECURSIVE names AS (
        (SELECT ns FROM rendezvous_registrations ORDER BY ns LIMIT 1)
        UNION ALL
        SELECT (SELECT r.ns FROM rendezvous_registrations r WHERE r.ns > names.ns ORDER BY r.ns LIMIT 1)
        FROM names WHERE names.ns IS NOT NULL)
      SELECT (SELECT sum(n) FROM rendezvous_tallies)::bigint - (${EXPIRED}) AS registrations,
        (SELECT count(ns) FROM (SELECT ns FROM names LIMIT ${MOST_NAMESPACES + 1}) counted) AS namespaces`
  },
  horizon: { name: 'rendezvous-horizon', text: fence.horizon }
})

/**
 * One row, however many registrations: reading rows costs the server more than finding them costs the database.
 *
 * @param {string} which - $1 and $2: place it comes after; $3: registrations at most; $4: bytes at most
 */
const page = which => `
  SELECT count(*)::int AS count, string_agg(body, ''::bytea ORDER BY xid, seq) AS bodies,
    string_agg(length(body) || ' ' || ttl || ' ' || xid || ' ' || seq, ',' ORDER BY xid, seq) AS places
  FROM (SELECT *, sum(length(body) + ${ENTRY_BYTES}) OVER (ORDER BY xid, seq) AS bytes,
      row_number() OVER (ORDER BY xid, seq) AS place
    FROM (SELECT body, xid, seq, greatest(1, ceil(extract(epoch from expires_at - now())))::bigint AS ttl
      FROM rendezvous_registrations
      WHERE (xid, seq) > ($1::bigint, $2::bigint) AND expires_at > now() AND ${which}
      ORDER BY xid, seq LIMIT $3) found) sized
  WHERE bytes <= $4 OR place = 1`
