// Creates and migrates the PostgreSQL tables of registrations. Servers that start together migrate only once.
import { randomBytes } from 'node:crypto'
import { StoreOpenError } from '../../store.js'
import { classifyError, retryTemporary } from './backpressure.js'

/** Rows that each count a part of all registrations, so that two REGISTERs seldom wait for one. */
const TALLIES = 64

/**
 * MIGRATIONS are the steps from one version of the tables to the next; the first step starts from an empty database. A published step is
 * never changed.
 *
 * Namespaces are bytes, since text cannot contain U+0000. Places are plain numbers, which any database has.
 *
 * @type {readonly (readonly string[])[]}
 */
export const MIGRATIONS = [
  [
    'CREATE SEQUENCE rendezvous_seq CACHE 1',
    'CREATE TABLE rendezvous_settings (name text PRIMARY KEY, value bytea NOT NULL)',
    'CREATE TABLE rendezvous_peers (peer bytea PRIMARY KEY)',
    'CREATE TABLE rendezvous_namespaces (ns bytea PRIMARY KEY, seq bigint NOT NULL)',
    'CREATE TABLE rendezvous_tallies (slot int PRIMARY KEY, n bigint NOT NULL)',
    `INSERT INTO rendezvous_tallies SELECT slot, 0 FROM generate_series(0, ${TALLIES - 1}) slot`,
    `CREATE TABLE rendezvous_registrations (
       ns bytea NOT NULL, peer bytea NOT NULL, body bytea NOT NULL, expires_at timestamptz NOT NULL,
       xid bigint NOT NULL, seq bigint NOT NULL, PRIMARY KEY (ns, peer))`,
    'CREATE INDEX rendezvous_by_namespace ON rendezvous_registrations (ns, xid, seq)',
    'CREATE INDEX rendezvous_by_place ON rendezvous_registrations (xid, seq)',
    'CREATE INDEX rendezvous_by_peer ON rendezvous_registrations (peer)',
    'CREATE INDEX rendezvous_by_expiry ON rendezvous_registrations (expires_at)'
  ],
  // changes only functions, which are made anew with each step
  [],
  // servers of older versions call the functions they know: their registrations belong to no group
  [
    'ALTER TABLE rendezvous_registrations ADD COLUMN address_group text',
    `CREATE TABLE rendezvous_groups (
       id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, address_group text NOT NULL, n bigint NOT NULL)`,
    'CREATE INDEX rendezvous_by_group ON rendezvous_groups (address_group)'
  ],
  // registrations of servers of older versions have no sequence number
  ['ALTER TABLE rendezvous_registrations ADD COLUMN record_seq numeric(20)']
]

// Each function changes registrations and is called in one statement. Each statement in a function sees earlier commits, which the parts of
// a single statement do not: so the registrations of a peer are counted while its row is locked. Locks are taken in one order everywhere:
// peer, registration, namespace, tally; or without waiting.

/** The tally that a connection counts on. */
const SLOT = `abs(pg_backend_pid()) % ${TALLIES}`

/** A peer's row exists to be locked. It is removed with the last registration of the peer, unless it is locked just then. */
const deletePeersSql = (/** @type {string} */ peers) => `DELETE FROM rendezvous_peers WHERE peer IN (
      SELECT p.peer FROM rendezvous_peers p WHERE p.peer = ANY(${peers})
        AND NOT EXISTS (SELECT 1 FROM rendezvous_registrations r WHERE r.peer = p.peer)
      FOR UPDATE SKIP LOCKED);`

/**
 * The count of a group is the sum of its rows. An addition uses a row that no other transaction has locked, or makes a new one, so that
 * REGISTERs of a group never wait for one another. A removal merges the rows that it could lock into one row, or none.
 */
const COUNT_GROUP = `CREATE OR REPLACE FUNCTION rendezvous_count_group(a_group text, more bigint) RETURNS void LANGUAGE plpgsql STRICT AS $$
  DECLARE
    total bigint := more;
  BEGIN
    IF more > 0 THEN
      UPDATE rendezvous_groups SET n = n + more WHERE id = (
        SELECT id FROM rendezvous_groups WHERE address_group = a_group LIMIT 1 FOR UPDATE SKIP LOCKED);
      IF FOUND THEN RETURN; END IF;
    ELSE
      WITH taken AS (
        DELETE FROM rendezvous_groups WHERE id IN (
          SELECT id FROM rendezvous_groups WHERE address_group = a_group FOR UPDATE SKIP LOCKED)
        RETURNING n)
      SELECT coalesce(sum(n), 0) + more INTO total FROM taken;
    END IF;
    IF total <> 0 THEN INSERT INTO rendezvous_groups (address_group, n) VALUES (a_group, total); END IF;
  END $$`

/**
 * The caps, which a renewal within a group always passes. The condition for unexpired rows is written so that the index of expiry cannot be
 * used: without statistics of the table each REGISTER would look up all unexpired rows in it. A group may have as many registrations as are
 * free.
 */
const CAPS = `    IF NOT (is_live AND (is_own OR a_group IS NULL)) THEN
      used := (SELECT sum(n) FROM rendezvous_tallies) + uncounted - (is_there AND NOT is_live)::int;
      IF NOT is_live AND (SELECT count(*) FROM (SELECT 1 FROM rendezvous_registrations
          WHERE peer = a_peer AND expires_at - a_time > interval '0' LIMIT peer_cap) held) >= peer_cap THEN
        refused := 'peer-full';
      ELSIF NOT is_live AND used >= total_cap THEN
        refused := 'store-full';
      ELSIF a_group IS NOT NULL AND coalesce((SELECT sum(n) FROM rendezvous_groups WHERE address_group = a_group), 0)
          - is_own::int >= total_cap - used THEN
        refused := 'store-full';
      END IF;
      IF refused IS NOT NULL THEN
        IF fresh THEN DELETE FROM rendezvous_peers WHERE peer = a_peer; END IF;
        RETURN refused;
      END IF;
    END IF;`

/** Updates no tally: `uncounted` rows were added before in its transaction. @param {string} place - of the fence */
const makePutFunction =
  place => `CREATE OR REPLACE FUNCTION rendezvous_put(a_ns bytea, a_peer bytea, a_body bytea, a_ttl double precision,
     peer_cap bigint, total_cap bigint, uncounted bigint, a_group text, a_seq numeric) RETURNS text LANGUAGE plpgsql AS $$
  DECLARE
    fresh boolean := false; is_live boolean; is_there boolean; is_own boolean; old_group text; old_seq numeric; used bigint;
    at_xid bigint; at_seq bigint; refused text; a_time timestamptz; until timestamptz;
  BEGIN
    LOOP
      PERFORM 1 FROM rendezvous_peers WHERE peer = a_peer FOR UPDATE;
      EXIT WHEN FOUND;
      INSERT INTO rendezvous_peers (peer) VALUES (a_peer) ON CONFLICT (peer) DO NOTHING;
      fresh := FOUND;
      EXIT WHEN FOUND;
    END LOOP;
    SELECT expires_at > clock_timestamp(), address_group, record_seq INTO is_live, old_group, old_seq FROM rendezvous_registrations
      WHERE ns = a_ns AND peer = a_peer FOR UPDATE;
    is_there := FOUND;
    is_live := coalesce(is_live, false);
    IF is_live AND a_seq < old_seq THEN RETURN 'stale'; END IF;
    is_own := coalesce(old_group = a_group, false);
    a_time := clock_timestamp();
${CAPS}
    ${place}
    until := clock_timestamp() + a_ttl * interval '1 second';
    IF is_there THEN
      UPDATE rendezvous_registrations
        SET body = a_body, expires_at = until, xid = at_xid, seq = at_seq, address_group = a_group,
          record_seq = a_seq
        WHERE ns = a_ns AND peer = a_peer;
    ELSE
      INSERT INTO rendezvous_registrations (ns, peer, body, expires_at, xid, seq, address_group, record_seq)
        VALUES (a_ns, a_peer, a_body, until, at_xid, at_seq, a_group, a_seq);
    END IF;
    IF old_group IS DISTINCT FROM a_group THEN
      PERFORM rendezvous_count_group(old_group, -1);
      PERFORM rendezvous_count_group(a_group, 1);
    END IF;
    RETURN CASE WHEN is_live THEN 'replaced' WHEN is_there THEN 'added again' ELSE 'added' END;
  END $$`

const REGISTER = `CREATE OR REPLACE FUNCTION rendezvous_register(a_ns bytea, a_peer bytea, a_body bytea, a_ttl double precision,
     peer_cap bigint, total_cap bigint, a_group text, a_seq numeric) RETURNS text LANGUAGE plpgsql AS $$
  DECLARE
    outcome text := rendezvous_put(a_ns, a_peer, a_body, a_ttl, peer_cap, total_cap, 0, a_group, a_seq);
  BEGIN
    IF outcome = 'added' THEN UPDATE rendezvous_tallies SET n = n + 1 WHERE slot = ${SLOT}; END IF;
    RETURN replace(outcome, ' again', '');
  END $$`

/**
 * Registrations in bulk belong to no group: they come from the operator of the server. The tally is updated once for all of them, because
 * each update leaves a dead row that slows down every sum until it is vacuumed. Peers are sorted, so that two of these calls do not deadlock.
 */
const REGISTER_MANY = `CREATE OR REPLACE FUNCTION rendezvous_register_many(names bytea[], peers bytea[], bodies bytea[], ttls double precision[],
     peer_cap bigint, total_cap bigint) RETURNS SETOF text LANGUAGE plpgsql AS $$
  DECLARE
    given record; outcome text; added bigint := 0;
  BEGIN
    FOR given IN SELECT * FROM unnest(names, peers, bodies, ttls) AS all_given (ns, peer, body, ttl) ORDER BY peer LOOP
      outcome := rendezvous_put(given.ns, given.peer, given.body, given.ttl, peer_cap, total_cap, added, NULL, NULL);
      IF outcome = 'added' THEN added := added + 1; END IF;
      RETURN NEXT replace(outcome, ' again', '');
    END LOOP;
    IF added > 0 THEN UPDATE rendezvous_tallies SET n = n + added WHERE slot = ${SLOT}; END IF;
  END $$`

const UNREGISTER = `CREATE OR REPLACE FUNCTION rendezvous_unregister(a_ns bytea, a_peer bytea) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    is_live boolean; old_group text;
  BEGIN
    DELETE FROM rendezvous_registrations WHERE ns = a_ns AND peer = a_peer
      RETURNING expires_at > clock_timestamp(), address_group INTO is_live, old_group;
    IF NOT FOUND THEN RETURN false; END IF;
    PERFORM rendezvous_count_group(old_group, -1);
    ${deletePeersSql('ARRAY[a_peer]')}
    UPDATE rendezvous_tallies SET n = n - 1 WHERE slot = ${SLOT};
    RETURN is_live;
  END $$`

const SWEEP = `CREATE OR REPLACE FUNCTION rendezvous_sweep(most bigint) RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE
    a_time timestamptz := clock_timestamp(); peers bytea[]; names bytea[]; held_groups text[]; gone bigint;
  BEGIN
    WITH removed AS (
      DELETE FROM rendezvous_registrations WHERE (ns, peer) IN (
        SELECT ns, peer FROM rendezvous_registrations WHERE expires_at <= a_time
          ORDER BY expires_at LIMIT most FOR UPDATE SKIP LOCKED)
      RETURNING ns, peer, address_group)
    SELECT array_agg(DISTINCT peer), array_agg(DISTINCT ns), array_agg(address_group), count(*)
      INTO peers, names, held_groups, gone FROM removed;
    IF gone = 0 THEN RETURN 0; END IF;
    PERFORM rendezvous_count_group(held.address_group, -count(*)) FROM unnest(held_groups) AS held (address_group)
      GROUP BY held.address_group;
    ${deletePeersSql('peers')}
    DELETE FROM rendezvous_namespaces WHERE ns IN (
      SELECT c.ns FROM rendezvous_namespaces c WHERE c.ns = ANY(names)
        AND NOT EXISTS (SELECT 1 FROM rendezvous_registrations r WHERE r.ns = c.ns)
      FOR UPDATE SKIP LOCKED);
    UPDATE rendezvous_tallies SET n = n - gone WHERE slot = ${SLOT};
    RETURN gone;
  END $$`

/**
 * Sequence numbers are assigned in one order and committed in another: a client whose cookie is after a number would never get a row that
 * commits late. A fence gives registrations places in an order in which no row appears before rows that were already read.
 *
 * @typedef {object} RowOrder
 * @property {'xid' | 'counter'} name
 * @property {string} place - of PL/pgSQL: sets `at_xid` and `at_seq` for a registration in the namespace `a_ns`
 * @property {string} passed - of SQL: whether all rows before a row are visible
 * @property {string} horizon - of SQL: the `low` and `high` between which a transaction may still be open, as text
 * @property {boolean} ordersAll - whether places of different namespaces are comparable
 */

/**
 * On PostgreSQL: ordered by the transaction that wrote a row, then by number, and only rows of transactions older than the oldest open one.
 * Ordered by number alone, rows would still be skipped: numbers and transactions are not assigned in one order. No cost was measurable. But
 * an open transaction that has written, anywhere in this PostgreSQL, holds back all new rows.
 *
 * @type {RowOrder}
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
 * On other databases: ordered by a counter of the namespace, whose row stays locked until the transaction commits, so that REGISTERs in one
 * namespace follow one another, each with a flush of the disk. The counter is never below the clock, so that a counter that was removed with
 * its namespace and made again does not assign old numbers.
 *
 * @type {RowOrder}
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

/** findRowOrder finds a fence by its name. @param {string} name */
export const findRowOrder = name => (name === COUNTER.name ? COUNTER : XID)

/**
 * chooseRowOrder chooses the fence for a database. Other databases speak PostgreSQL's protocol, and some have its functions, but not its
 * transactions.
 *
 * @param {string} version - of `SELECT version()`
 */
const chooseRowOrder = version => (/^PostgreSQL \d+(\.\d+)*(?!.*-YB-)/.test(version) ? XID : COUNTER)

/**
 * @typedef {import('../../postgres.js').Database} Database
 * @typedef {import('../../postgres.js').Query} Query
 */

const KEY_BYTES = 32
const ATTEMPTS = 20
/** Errors of a server that makes a table at the same time as another one. */
const MADE_MEANWHILE = new Set(['23505', '42P07', '42710', 'XX000'])

/**
 * migrate brings the tables up to date, and reads the settings shared by all servers. Of servers that start at once, one migrates and the
 * others wait: they all lock the one row of the table of versions, which works in every database.
 *
 * @param {Database} database
 * @param {{ rowOrder?: string }} [init] - `rowOrder`: of tables that are new; default: what suits the database
 * @returns {Promise<{ rowOrder: RowOrder, cookieKey: Uint8Array }>}
 * @throws {StoreOpenError} the tables are of a newer version
 */
export async function migrate(database, { rowOrder } = {}) {
  const [{ version: server }] = await database.query({ text: 'SELECT version() AS version' })
  const again = (/** @type {() => Promise<any>} */ work) =>
    retryTemporary(
      work,
      ATTEMPTS,
      error => classifyError(error) === 'conflict' || MADE_MEANWHILE.has(codeOf(error))
    )
  await again(() => database.query({ text: MAKE_VERSIONS }))
  await again(() => database.query({ text: INSERT_VERSION }, [rowOrder ?? chooseRowOrder(server).name]))
  return again(() => database.transaction(migrateTables))
}

const MAKE_VERSIONS =
  'CREATE TABLE IF NOT EXISTS rendezvous_schema (id int PRIMARY KEY, version int NOT NULL, fence text NOT NULL)'
const INSERT_VERSION = 'INSERT INTO rendezvous_schema VALUES (1, 0, $1) ON CONFLICT (id) DO NOTHING'

/** @param {any} error */
const codeOf = ({ code = '' }) => code

/** @param {Query} query */
async function migrateTables(query) {
  await query({ text: 'SET LOCAL statement_timeout = 0' })
  const [{ version, fence: name }] = await query({
    text: 'SELECT version, fence FROM rendezvous_schema WHERE id = 1 FOR UPDATE'
  })
  if (version > MIGRATIONS.length) {
    const why = `its tables are of version ${version}, and this program knows those up to ${MIGRATIONS.length}`
    throw new StoreOpenError(`the store cannot be used: ${why}`)
  }
  const rowOrder = findRowOrder(name)
  if (version < MIGRATIONS.length) {
    for (const text of MIGRATIONS.slice(version).flat()) await query({ text })
    const functions = [
      COUNT_GROUP,
      makePutFunction(rowOrder.place),
      REGISTER,
      REGISTER_MANY,
      UNREGISTER,
      SWEEP
    ]
    for (const text of functions) await query({ text })
    await query({ text: 'UPDATE rendezvous_schema SET version = $1' }, [MIGRATIONS.length])
  }
  if (rowOrder.name === 'xid') await query({ text: RESET_FUTURE_ROWS })
  await query({ text: INSERT_COOKIE_KEY }, [randomBytes(KEY_BYTES)])
  const [{ value }] = await query({ text: "SELECT value FROM rendezvous_settings WHERE name = 'cookie key'" })
  return { rowOrder, cookieKey: new Uint8Array(value) }
}

/** Rows from another PostgreSQL, as from a dump, may have ids of future transactions of this one, and would be hidden until then. */
const RESET_FUTURE_ROWS = `UPDATE rendezvous_registrations SET xid = pg_current_xact_id()::text::bigint
  WHERE xid >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint`
const INSERT_COOKIE_KEY =
  "INSERT INTO rendezvous_settings VALUES ('cookie key', $1) ON CONFLICT (name) DO NOTHING"
