import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgres } from '../../src/server/postgres.js'
import { Cookies } from '../../src/server/rendezvous/requests.js'
import { SqlStore } from '../../src/server/sql-store.js'
import { AddOutcome } from '../../src/server/store/registration.js'
import { MIGRATIONS } from '../../src/server/store/sql/schema.js'
import { add, addFrom, bytes, page } from '../server/store/registrations-of.js'
import { until } from '../until.js'
import { NO_POSTGRES, sharedPostgres } from './postgres.js'

/** @typedef {import('../../src/server/store/registration.js').Cursor} Cursor */

const postgres = NO_POSTGRES ? undefined : await sharedPostgres()
const here = /** @type {Awaited<ReturnType<typeof sharedPostgres>>} */ (postgres)

/** A REGISTER in a transaction that goes on. @param {import('pg').Client} client @param {string} peer @param {string} [group] */
const register = (client, peer, group) =>
  client.query('SELECT rendezvous_register($1, $2, $3, 3600, 1000, 1000000, $4, NULL)', [
    Buffer.from('x'),
    Buffer.from(peer),
    Buffer.from(`\x0a\x01x\x12${String.fromCharCode(10 + peer.length)}record of ${peer}`),
    group
  ])

/** What is counted of groups, and in how many rows. @param {import('pg').Client} client */
async function groupsOf(client) {
  const { rows } = await client.query(
    'SELECT address_group AS group, sum(n)::int AS n, count(*)::int AS rows FROM rendezvous_groups GROUP BY 1 ORDER BY 1'
  )
  return rows
}

/** How many there are of each. @param {readonly string[]} outcomes */
function tally(outcomes) {
  /** @type {Record<string, number>} */
  const counts = {}
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

/** reader reads on from where it is. @param {SqlStore} store */
function reader(store) {
  let after = /** @type {Cursor} */ (0)
  return async () => {
    const next = await page(store, { ns: 'x', after, limit: 20 })
    after = next.cursor
    return next.peers
  }
}

describe('numbers that are committed in another order than they were taken', { skip: NO_POSTGRES }, () => {
  it('skip nobody: the first one commits last', async t => {
    const url = await here.database()
    const store = await here.open(t, url, { rowOrder: 'xid' })
    const [late, read] = [await here.connect(t, url), reader(store)]
    await late.query('BEGIN')
    await register(late, 'late')
    await add(store, 'early', 'x')
    const before = await read()
    await late.query('COMMIT')
    assert.deepEqual([...before, ...(await read()), ...(await read())].sort(), ['early', 'late'])
  })

  it('skip nobody: an older transaction takes the greater number, and commits first', async t => {
    const url = await here.database()
    const store = await here.open(t, url, { rowOrder: 'xid' })
    const [older, newer, read] = [await here.connect(t, url), await here.connect(t, url), reader(store)]
    await older.query('BEGIN')
    await older.query('SELECT pg_current_xact_id()')
    await newer.query('BEGIN')
    await register(newer, 'newer')
    await register(older, 'older')
    await older.query('COMMIT')
    const before = await read()
    await newer.query('COMMIT')
    assert.deepEqual([before, await read(), await read()], [['older'], ['newer'], []])
  })

  it('cannot be, by counter: the second waits for the first', async t => {
    const url = await here.database()
    const store = await here.open(t, url, { rowOrder: 'counter' })
    const [first, read] = [await here.connect(t, url), reader(store)]
    await first.query('BEGIN')
    await register(first, 'first')
    let done = false
    const second = add(store, 'second', 'x')
    Promise.resolve(second).then(() => {
      done = true
    })
    assert.equal(await add(store, 'other', 'y'), AddOutcome.ADDED)
    assert.deepEqual([await read(), done], [[], false])
    await first.query('COMMIT')
    await second
    assert.deepEqual([await read(), await read()], [['first', 'second'], []])
  })
})

describe('servers that share a store', { skip: NO_POSTGRES }, () => {
  it('hold the cap of a peer exactly, however many of its REGISTERs come at once', async t => {
    const url = await here.database()
    const init = { maxPeerRegistrations: 10, connections: 8 }
    const stores = [
      await here.open(t, url, init),
      await here.open(t, url, init),
      await here.open(t, url, init)
    ]
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, (_, i) => add(stores[i % 3], 'a', `ns${i}`))
    )
    assert.deepEqual(tally(outcomes), { added: 10, 'peer-full': 54 })
    assert.deepEqual(await stores[0].counts(), { registrations: 10, namespaces: 10 })
    const again = await Promise.all(Array.from({ length: 64 }, (_, i) => add(stores[i % 3], 'b', 'one')))
    assert.deepEqual(tally(again), { added: 1, replaced: 63 })
  })

  it('pass the cap in all by fewer than their connections', async t => {
    const url = await here.database()
    const init = { maxRegistrations: 20, connections: 4 }
    const stores = [
      await here.open(t, url, init),
      await here.open(t, url, init),
      await here.open(t, url, init)
    ]
    const outcomes = await Promise.all(
      Array.from({ length: 120 }, (_, i) => add(stores[i % 3], `p${i}`, 'x'))
    )
    const { added = 0 } = tally(outcomes)
    assert.ok(added >= 20 && added < 20 + 3 * 4, `${added} added`)
    assert.equal((await stores[0].counts()).registrations, added)
    assert.equal(await add(stores[1], 'one more', 'x'), AddOutcome.STORE_FULL)
    // who was refused leaves nothing behind
    const client = await here.connect(t, url)
    assert.equal((await client.query('SELECT count(*)::int AS n FROM rendezvous_peers')).rows[0].n, added)
  })

  it('read on where another server ended, by its cookie', async t => {
    const url = await here.database()
    const [one, other] = [await here.open(t, url), await here.open(t, url)]
    for (const peer of ['a', 'b', 'c']) await add(one, peer, 'x')
    const { cursor, peers } = await page(one, { ns: 'x', limit: 2 })
    const cookie = new Cookies(one.cookieKey).make('x', cursor)
    const after = new Cookies(other.cookieKey).read('x', cookie)
    assert.deepEqual([peers, (await page(other, { ns: 'x', after })).peers], [['a', 'b'], ['c']])
  })

  it('make the tables once when they start at once, bring older ones up to date, and refuse those of a newer program', async t => {
    const url = await here.database()
    const stores = await Promise.all([1, 2, 3, 4].map(() => here.open(t, url)))
    for (const { cookieKey } of stores) assert.deepEqual(cookieKey, stores[0].cookieKey)
    assert.equal(await add(stores[3], 'a', 'x'), AddOutcome.ADDED)
    const client = await here.connect(t, url)
    await client.query('DROP FUNCTION rendezvous_register_many')
    await client.query('DROP TABLE rendezvous_groups')
    await client.query(
      'ALTER TABLE rendezvous_registrations DROP COLUMN address_group, DROP COLUMN record_seq'
    )
    await client.query('UPDATE rendezvous_schema SET version = 1')
    const newer = await here.open(t, url)
    const b = { peerId: bytes('b'), ns: 'x', signedPeerRecord: bytes('record of b'), ttlSeconds: 60 }
    assert.deepEqual(await newer.addMany([b]), { added: 1 })
    assert.deepEqual((await page(newer, { ns: 'x' })).peers, ['a', 'b'])
    await client.query('UPDATE rendezvous_schema SET version = $1', [MIGRATIONS.length + 1])
    await assert.rejects(
      openPostgres(url, { connections: 1 }).then(database => SqlStore.open(database)),
      { code: 'CANNOT_OPEN_STORE', message: /version 5, and this program knows those up to 4/ }
    )
  })

  it('show what came from the dump of another database, whose transactions are still to come here', async t => {
    const url = await here.database()
    const store = await here.open(t, url)
    await add(store, 'a', 'x')
    const client = await here.connect(t, url)
    await client.query('UPDATE rendezvous_registrations SET xid = 1000000000')
    assert.deepEqual((await page(store, { ns: 'x' })).peers, [])
    assert.deepEqual((await page(await here.open(t, url), { ns: 'x' })).peers, ['a'])
  })
})

describe('what has expired', { skip: NO_POSTGRES }, () => {
  it('is removed by whoever comes first, 1,000 by each statement, with all that was kept for it', async t => {
    const url = await here.database()
    const [one, other] = [await here.open(t, url), await here.open(t, url)]
    const many = Array.from({ length: 5000 }, (_, i) => ({
      peerId: bytes(`p${i}`),
      ns: `ns${i % 50}`,
      signedPeerRecord: bytes('r'),
      ttlSeconds: 0.001
    }))
    // in parts: a statement may take 4 s, however busy the machine is
    for (let at = 0; at < many.length; at += 1000)
      assert.deepEqual(await one.addMany(many.slice(at, at + 1000)), { added: 1000 })
    await add(one, 'staying', 'x')
    const swept = await Promise.all([one.sweep(), other.sweep()])
    assert.equal(swept[0].removed + swept[1].removed, 5000)
    for (const { removed, steps } of swept)
      assert.ok(removed <= steps * 1000, `${removed} in ${steps} statements`)
    const client = await here.connect(t, url)
    const left =
      'SELECT (SELECT count(*) FROM rendezvous_peers)::int AS peers, (SELECT sum(n) FROM rendezvous_tallies)::int AS tally'
    assert.deepEqual((await client.query(left)).rows, [{ peers: 1, tally: 1 }])
    assert.deepEqual((await page(other, { ns: 'x' })).peers, ['staying'])
  })

  it('that expire at once, 20,000 of them, go by statements of 1,000 at most', async t => {
    const url = await here.database()
    const store = await here.open(t, url)
    const client = await here.connect(t, url)
    await client.query(`INSERT INTO rendezvous_registrations
      SELECT 'x', int4send(i), 'a body', now() - interval '1 s', 0, i FROM generate_series(1, 20000) i`)
    await client.query(`CREATE TABLE removed AS SELECT 0::bigint AS n;
      CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN INSERT INTO removed SELECT count(*) FROM gone; RETURN NULL; END';
      CREATE TRIGGER noted AFTER DELETE ON rendezvous_registrations
        REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note()`)
    const { removed, steps } = await store.sweep()
    assert.deepEqual([removed, steps], [20_000, 21])
    const { rows } = await client.query('SELECT max(n)::int AS most, sum(n)::int AS all FROM removed')
    assert.deepEqual(rows, [{ most: 1000, all: 20_000 }])
  })
})

describe('registrations of a group of addresses', { skip: NO_POSTGRES }, () => {
  it('do not wait for one that is under way', async t => {
    const url = await here.database()
    const store = await here.open(t, url)
    const client = await here.connect(t, url)
    await addFrom(store, 'a', 'first')
    await client.query('BEGIN')
    await register(client, 'open', 'a')
    assert.equal(await addFrom(store, 'a', 'second'), AddOutcome.ADDED)
    await client.query('COMMIT')
    assert.deepEqual(await groupsOf(client), [{ group: 'a', n: 3, rows: 2 }])
    await store.remove(bytes('open'), 'x')
    assert.deepEqual(await groupsOf(client), [{ group: 'a', n: 2, rows: 1 }])
  })

  it('are counted without a mistake, whoever adds and removes them at once, and leave nothing behind', async t => {
    const url = await here.database()
    const stores = [await here.open(t, url), await here.open(t, url)]
    const client = await here.connect(t, url)
    await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        await addFrom(stores[i % 2], i % 3 === 0 ? 'a' : 'b', `p${i}`, i < 50 ? 3600 : 0.001)
        if (i < 25) await stores[(i + 1) % 2].remove(bytes(`p${i}`), 'x')
        else if (i < 50) await addFrom(stores[i % 2], 'c', `p${i}`)
      })
    )
    await Promise.all(stores.map(store => store.sweep()))
    const counted = await groupsOf(client)
    assert.deepEqual(
      counted.filter(({ n }) => n !== 0).map(({ group, n }) => [group, n]),
      [['c', 25]]
    )
    for (let i = 25; i < 50; i++) await stores[0].remove(bytes(`p${i}`), 'x')
    assert.equal(
      (await groupsOf(client)).find(({ group }) => group === 'c'),
      undefined
    )
  })

  it('that a program of before added to tables of now are of no group', async t => {
    const url = await here.database()
    const client = await here.connect(t, url)
    const store = await here.open(t, url, { maxRegistrations: 2 })
    await client.query(`INSERT INTO rendezvous_registrations (ns, peer, body, expires_at, xid, seq)
      VALUES ('x', 'old', 'a body', now() + interval '1 h', 0, 1)`)
    assert.equal(await addFrom(store, 'a', 'old'), AddOutcome.REPLACED)
    assert.deepEqual(await groupsOf(client), [{ group: 'a', n: 1, rows: 1 }])
  })
})

describe('a transaction that somebody leaves open', { skip: NO_POSTGRES }, () => {
  it('holds back what is new, for so long that it is said, and then nothing more is taken', async t => {
    const url = await here.database()
    const store = await here.open(t, url, { beatMs: 20, maxBlockedMs: 300 })
    store.start()
    const client = await here.connect(t, url)
    await add(store, 'a', 'x')
    await client.query('BEGIN')
    await client.query('SELECT pg_current_xact_id()')
    await add(store, 'b', 'x')
    assert.deepEqual((await page(store, { ns: 'x' })).peers, ['a'])
    await until(() => store.health().problem !== undefined)
    assert.match(store.health().problem ?? '', /held back: a transaction has been open for/)
    assert.ok(store.health().blockedMs > 300)
    await assert.rejects(async () => add(store, 'c', 'x'), { code: 'ERR_STORE_UNAVAILABLE' })
    assert.deepEqual((await page(store, { ns: 'x' })).peers, ['a'])
    await client.query('COMMIT')
    await until(() => store.health().problem === undefined)
    assert.equal(await add(store, 'c', 'x'), AddOutcome.ADDED)
    assert.deepEqual((await page(store, { ns: 'x' })).peers, ['a', 'b', 'c'])
  })
})

describe('a store that does not keep up', { skip: NO_POSTGRES }, () => {
  it('takes so many requests and refuses the others at once', async t => {
    const url = await here.database()
    const store = await here.open(t, url, { connections: 2 })
    const client = await here.connect(t, url)
    await client.query('BEGIN')
    await client.query('LOCK TABLE rendezvous_registrations')
    const outcomes = Array.from({ length: 50 }, (_, i) => add(store, `p${i}`, 'x'))
    const refused = outcomes.slice(2 * 17)
    for (const outcome of refused)
      await assert.rejects(Promise.resolve(outcome), { code: 'ERR_STORE_UNAVAILABLE' })
    assert.equal(store.health().underWay, 34)
    await client.query('ROLLBACK')
    assert.deepEqual(tally(await Promise.all(outcomes.slice(0, 2 * 17))), { added: 34 })
    assert.equal(store.health().underWay, 0)
  })

  it('serves others while REGISTERs of one peer wait for one another', async t => {
    const url = await here.database()
    const store = await here.open(t, url, { connections: 2 })
    const client = await here.connect(t, url)
    await add(store, 'a', 'x')
    await client.query('BEGIN')
    await client.query('SELECT 1 FROM rendezvous_peers WHERE peer = $1 FOR UPDATE', [Buffer.from('a')])
    const own = Array.from({ length: 10 }, (_, i) => add(store, 'a', `ns${i}`))
    assert.equal(await add(store, 'b', 'x'), AddOutcome.ADDED)
    assert.equal(store.health().waiting, 0)
    await client.query('ROLLBACK')
    assert.deepEqual(tally(await Promise.all(own)), { added: 10 })
  })

  it('comes back by itself when its database was killed, with all that was acknowledged', async t => {
    const url = await here.database()
    /** @type {Array<string | undefined>} */
    const told = []
    const store = await here.open(t, url, { beatMs: 50, onChange: problem => told.push(problem) })
    store.start()
    /** @type {string[]} */
    const acknowledged = []
    for (let round = 0; round < 2; round++) {
      let writing = true
      const writers = [0, 1, 2, 3].map(async writer => {
        for (let i = 0; writing; i++) {
          const peer = `r${round}w${writer}i${i}`
          try {
            await add(store, peer, 'x')
            acknowledged.push(peer)
          } catch (error) {
            assert.equal(/** @type {{ code: string }} */ (error).code, 'ERR_STORE_UNAVAILABLE')
            await sleep(5)
          }
        }
      })
      const already = acknowledged.length
      await until(() => acknowledged.length > already + 20)
      here.own.kill()
      await until(() => store.health().problem !== undefined)
      await here.own.restart()
      await until(() => store.health().problem === undefined)
      writing = false
      await Promise.all(writers)
    }
    const { peers } = await page(store, { ns: 'x', limit: 100_000 })
    assert.deepEqual(
      acknowledged.filter(peer => !peers.includes(peer)),
      []
    )
    assert.deepEqual(
      told.map(problem => problem === undefined),
      [false, true, false, true]
    )
  })
})

describe('connections to a database', { skip: NO_POSTGRES }, () => {
  it('stay once several were needed at a time: none has to be made anew in the next rush', async t => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const database = await openPostgres(await here.database(), { connections: 4 })
    t.after(() => database.close())
    const rush = async () => {
      const text = 'SELECT pg_backend_pid() AS pid, pg_sleep(0.05)'
      const rows = await Promise.all(Array.from({ length: 4 }, () => database.query({ name: 'pid', text })))
      return rows.map(([{ pid }]) => pid).sort()
    }
    const first = await rush()
    assert.equal(new Set(first).size, 4)
    t.mock.timers.tick(3_600_000)
    assert.deepEqual(await rush(), first)
  })
})
