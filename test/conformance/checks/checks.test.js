import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { WrongServer } from './wrong-server.js'

const { CHECK_GROUPS } = await import('../../../src/conformance/examination.js')
const { examineServer } = await import('../../../src/conformance/examination.js')

const BROKEN = 'message-unknown message-response message-junk frame-cut frame-oversized frame-endless'

/** What a server does otherwise, and which checks it is seen by. @type {readonly (readonly [does: string, verdict: string, ids: string])[]} */
const DEVIATIONS = [
  ['takes nobody', 'fail', 'register'],
  ['takes nobody', 'not tested', 'renew cookie record cap-peer'],
  ['tells no time to live', 'fail', 'register ttl-default'],
  ['has a default of an hour', 'fail', 'ttl-default'],
  ['takes two days at most', 'differs', 'ttl-longest'],
  ['takes any time to live', 'differs', 'ttl-too-long ttl-too-short ttl-zero ttl-huge'],
  ['has statuses of its own', 'differs', 'ttl-too-long namespace-too-long record-of-others'],
  ['tells more than it granted', 'differs', 'ttl-told'],
  [
    'takes any namespace',
    'differs',
    'namespace-none namespace-too-long namespace-in-bytes discover-namespace-too-long'
  ],
  ['takes short namespaces', 'differs', 'namespace-longest'],
  ['knows no accents', 'fail', 'namespace-letters'],
  ['adds renewals', 'fail', 'renew renew-shorter'],
  ['keeps the longer time', 'fail', 'renew-shorter'],
  ['keeps who unregisters', 'fail', 'unregister unregister-own-id'],
  ['answers UNREGISTER', 'fail', 'unregister-silent'],
  ['unregisters everybody', 'fail', 'unregister unregister-nothing'],
  ['refuses the field id', 'fail', 'unregister-own-id'],
  ['obeys the field id', 'fail', 'unregister-others'],
  ['ties registrations to the connection', 'fail', 'outlives-connection'],
  ['keeps for ever', 'fail', 'expires'],
  ['finds what begins alike', 'fail', 'discover'],
  ['has no empty namespaces', 'fail', 'discover-nobody'],
  ['needs a namespace', 'fail', 'discover-all discover-all-names cookie-all cookie-of-all'],
  ['leaves namespaces out', 'fail', 'discover-all-names'],
  ['leaves namespaces out', 'differs', 'discover-namespace'],
  ['ignores limits', 'fail', 'limit'],
  ['takes a limit of 0 for none', 'differs', 'limit-zero'],
  ['counts to 2^53', 'fail', 'limit-huge'],
  ['counts to 2^53', 'differs', 'ttl-huge'],
  ['gives no cookies', 'fail', 'cookie'],
  ['gives no cookies', 'not tested', 'cookie-news'],
  ['ignores cookies', 'fail', 'cookie-news cookie-no-news cookie-pages'],
  ['ignores cookies', 'differs', 'cookie-other-namespace cookie-made-up cookie-changed'],
  ['takes renewals for old', 'differs', 'cookie-renewal'],
  ['gives the newest first', 'fail', 'cookie-pages'],
  ['counts cookies by place', 'fail', 'cookie-pages-writing'],
  ['binds cookies to nothing', 'fail', 'cookie-other-namespace'],
  ['binds cookies to nothing', 'differs', 'cookie-of-all'],
  ['takes cookies once', 'differs', 'cookie-again'],
  ['binds cookies to a peer', 'differs', 'cookie-of-others'],
  ['counts anew after a restart', 'fail', 'cookie-restart'],
  ['forgets all at a restart', 'differs', 'restart'],
  ['spoils records', 'fail', 'record'],
  ['rewrites records', 'differs', 'record'],
  [
    'takes anybody',
    'fail',
    'record-of-others record-of-others-own-key record-signature record-none record-junk'
  ],
  ['takes older records', 'differs', 'record-older'],
  ['takes no libp2p-peer-record', 'differs', 'record-peer-record'],
  ['takes no libp2p-peer-record', 'pass', 'register record cookie-pages'],
  ['takes no libp2p-routing-state', 'differs', 'record-routing-state'],
  ['knows Ed25519 alone', 'differs', 'key-rsa key-secp256k1'],
  ['serves one request on a stream', 'differs', 'stream-several stream-ahead'],
  ['serves one request on a stream', 'pass', 'register unregister cookie-pages'],
  ['answers twice', 'fail', 'stream-one-reply'],
  ['answers without end', 'fail', 'stream-one-reply'],
  ['gives too much', 'fail', 'discover-nobody'],
  ['answers backwards', 'fail', 'stream-ahead'],
  ['takes each piece for a message', 'fail', 'stream-split'],
  ['drops what is half closed', 'fail', 'stream-half-closed'],
  ['serves one stream at a time', 'fail', 'stream-many'],
  ['knows all fields', 'fail', 'fields-register fields-discover'],
  ['keeps broken streams', 'differs', BROKEN],
  ['answers nothing', 'fail', 'protocol'],
  ['answers junk', 'fail', 'protocol'],
  ['announces 1 GiB', 'fail', 'protocol'],
  ['has no cap and has pages without end', 'differs', 'cap-peer page-largest'],
  ['takes 32 of a peer and counts renewals', 'differs', 'cap-peer cap-renewal'],
  ...`${BROKEN} message-bare frame-empty`
    .split(' ')
    .map(id => /** @type {const} */ (['dies of what is broken', 'fail', id]))
]

/** @param {string} does @param {string} [ids] - of checks; none: all */
async function examined(does, ids) {
  const server = await new WrongServer(does).start()
  const chosen = ids?.split(' ')
  // the others of its group are found by the first
  if (chosen?.some(id => /^(cap|page)-/.test(id))) chosen.unshift('cap-peer')
  const groups = CHECK_GROUPS.map(group => ({
    ...group,
    checks: group.checks.filter(({ id }) => chosen === undefined || chosen.includes(id))
  }))
  /** @type {Record<string, string>} */
  const verdicts = {}
  const address = /** @type {string} */ (server.address)
  for await (const record of examineServer(address, { own: true, restart: () => server.restart(), groups }))
    if (record.type === 'check') verdicts[record.outcome.id] = record.outcome.verdict
    else verdicts.left = String(record.left)
  await server.stop()
  return { verdicts, registrations: server.registrations }
}

test('a server that keeps to the specification passes every check, and nothing is left there', async () => {
  const { verdicts, registrations } = await examined('right')
  const { left, ...others } = verdicts
  assert.deepEqual(
    Object.entries(others).filter(([, verdict]) => verdict !== 'pass'),
    []
  )
  assert.deepEqual([left, registrations], ['0', []])
})

// they wait more than they work
describe('a server that', { concurrency: 8 }, () => {
  for (const [does, verdict, ids] of DEVIATIONS)
    test(`${does}: ${verdict}, ${ids}`, async () => {
      const { verdicts } = await examined(does, ids)
      const wanted = ids.split(' ')
      assert.deepEqual(
        wanted.map(id => [id, verdicts[id]]),
        wanted.map(id => [id, verdict])
      )
    })
})

test('every check is made to come out otherwise by some deviation', () => {
  const seen = new Set(DEVIATIONS.flatMap(([, verdict, ids]) => (verdict === 'pass' ? [] : ids.split(' '))))
  const always = CHECK_GROUPS.flatMap(({ checks }) => checks.map(({ id }) => id)).filter(id => !seen.has(id))
  assert.deepEqual(always, [])
})
