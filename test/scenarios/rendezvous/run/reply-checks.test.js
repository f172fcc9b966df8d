import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { generateKeyPairFromSeed } from '@libp2p/crypto/keys'
import { multiaddr } from '@multiformats/multiaddr'
import { ClientError, ClientErrorCode } from '../../../../src/client/errors.js'
import { subStream } from '../../../../src/kit/random.js'
import { Status } from '../../../../src/protocol/rendezvous.js'
import { sealPeerRecord } from '../../../../src/protocol/signed-record.js'
import { ReplyChecks } from '../../../../src/scenarios/rendezvous/worker/server-checks.js'

/** @typedef {import('../../../../src/protocol/rendezvous.js').Message} Message */
/** @typedef {import('../../../../src/protocol/rendezvous.js').Register} Register */

/** @param {Partial<ConstructorParameters<typeof ReplyChecks>[0]>} [options] */
const checksWith = options =>
  new ReplyChecks({ limit: 3, expected: null, random: subStream(7, 'checks'), ...options })

/** @param {Register[]} registrations @param {number} [status] @returns {Message} */
const page = (registrations, status = Status.OK) =>
  /** @type {any} */ ({ discoverResponse: { registrations, status } })

/** @param {number} status @returns {Message} */
const registered = status => /** @type {any} */ ({ registerResponse: { status } })

/** @param {number} peer @returns {Promise<Register>} */
async function registrationOf(peer) {
  const privateKey = await generateKeyPairFromSeed('Ed25519', new Uint8Array(32).fill(peer))
  const addresses = [multiaddr('/ip4/10.0.0.1/tcp/4001')]
  return { ns: 'a', signedPeerRecord: await sealPeerRecord({ privateKey, addresses, seq: 1 }) }
}

const [first, second, third, fourth] = await Promise.all([1, 2, 3, 4].map(registrationOf))

/** A registration whose record one bit was changed in. @param {Register} register @returns {Register} */
function forged({ ns, signedPeerRecord = new Uint8Array() }) {
  const bytes = Uint8Array.from(signedPeerRecord)
  bytes[bytes.length - 1] ^= 1
  return { ns, signedPeerRecord: bytes }
}

describe('a reply', () => {
  /** @type {[string, import('../../../../src/load/registrations.js').MixedType, Message, string, string[]][]} */
  const cases = [
    ['to REGISTER is good', 'REGISTER', registered(Status.OK), 'OK', []],
    [
      'to REGISTER counts under its status',
      'REGISTER',
      registered(Status.E_UNAVAILABLE),
      'E_UNAVAILABLE',
      []
    ],
    [
      'to DISCOVER counts under its status',
      'DISCOVER',
      page([], Status.E_INVALID_COOKIE),
      'E_INVALID_COOKIE',
      []
    ],
    ['to DISCOVER is good', 'DISCOVER', page([first, second]), 'OK', []],
    ['to DISCOVER with just the limit is good', 'DISCOVER', page([first, second, third]), 'OK', []],
    [
      'to DISCOVER above the limit is bad',
      'DISCOVER',
      page([first, second, third, fourth]),
      'BAD_REPLY',
      ['more registrations than the limit of 3']
    ],
    ['to DISCOVER may be empty where nothing is known', 'DISCOVER', page([]), 'OK', []],
    [
      'of another kind than the request is bad',
      'DISCOVER',
      registered(Status.OK),
      'BAD_REPLY',
      ['DISCOVER was answered with another kind of message']
    ],
    [
      'to REGISTER with what was discovered is bad',
      'REGISTER',
      page([]),
      'BAD_REPLY',
      ['REGISTER was answered with another kind of message']
    ],
    ['that confirms UNREGISTER is good, whatever it found', 'UNREGISTER', page([]), 'OK', []],
    [
      'that confirms UNREGISTER counts under its status',
      'UNREGISTER',
      page([], Status.E_INTERNAL_ERROR),
      'E_INTERNAL_ERROR',
      []
    ]
  ]
  for (const [name, type, message, outcome, details] of cases) {
    it(name, async () => {
      const checks = checksWith()
      assert.equal(checks.outcomeOfReply(type, message), outcome)
      assert.deepEqual(
        await checks.finish(),
        details.map(detail => ({ detail, count: 1 }))
      )
    })
  }

  for (const [found, outcome] of /** @type {[Register[], string][]} */ ([
    [[], 'BAD_REPLY'],
    [[first], 'BAD_REPLY'],
    [[first, second], 'OK'],
    [[first, second, third], 'OK']
  ])) {
    it(`with ${found.length} registrations is ${outcome} where there are at least 2`, async () => {
      const checks = checksWith({ expected: 2 })
      assert.equal(checks.outcomeOfReply('DISCOVER', page(found)), outcome)
      assert.equal((await checks.finish()).length, outcome === 'OK' ? 0 : 1)
    })
  }

  it('that confirms UNREGISTER needs not hold what DISCOVER must', () => {
    assert.equal(checksWith({ expected: 2 }).outcomeOfReply('UNREGISTER', page([first])), 'OK')
  })

  it('from an inexistent namespace must be empty', () => {
    const checks = checksWith({ limit: 0 })
    assert.equal(checks.outcomeOfReply('DISCOVER', page([])), 'OK')
    assert.equal(checks.outcomeOfReply('DISCOVER', page([first])), 'BAD_REPLY')
  })

  it('that is bad is counted by what was wrong', async () => {
    const checks = checksWith({ expected: 1 })
    checks.outcomeOfReply('DISCOVER', page([]))
    checks.outcomeOfReply('REGISTER', page([]))
    checks.outcomeOfReply('DISCOVER', page([]))
    assert.deepEqual(await checks.finish(), [
      { detail: 'fewer registrations than the 1 there are', count: 2 },
      { detail: 'REGISTER was answered with another kind of message', count: 1 }
    ])
  })
})

describe('an operation that failed', () => {
  it('for a malformed reply is told among the bad replies', async () => {
    const checks = checksWith()
    const error = new ClientError(ClientErrorCode.MALFORMED, 'no rendezvous message')
    assert.equal(checks.outcomeOf(error), 'BAD_REPLY')
    assert.deepEqual(await checks.finish(), [{ detail: 'no rendezvous message', count: 1 }])
  })

  it('without a reply is not', async () => {
    const checks = checksWith()
    assert.equal(checks.outcomeOf(new ClientError(ClientErrorCode.TIMEOUT, 'x')), 'TIMEOUT')
    assert.deepEqual(await checks.finish(), [])
  })
})

describe('the signatures of sampled replies', () => {
  const INVALID = 'a registration without a valid signed peer record'
  const TWICE = 'the same peer more than once in one reply'
  /** @type {[string, Register[], { detail: string, count: number }[]][]} */
  const cases = [
    ['are right', [first, second, third], []],
    ['tell a forged record', [first, forged(second)], [{ detail: INVALID, count: 1 }]],
    ['tell each forged record', [forged(first), forged(second)], [{ detail: INVALID, count: 2 }]],
    ['tell a record that is missing', [first, { ns: 'a' }], [{ detail: INVALID, count: 1 }]],
    [
      'tell noise',
      [{ ns: 'a', signedPeerRecord: new Uint8Array(90).fill(7) }],
      [{ detail: INVALID, count: 1 }]
    ],
    ['tell a peer that is there twice', [first, second, first], [{ detail: TWICE, count: 1 }]],
    [
      'tell a peer that is there twice beside a forged record',
      [first, first, forged(second)],
      [
        { detail: INVALID, count: 1 },
        { detail: TWICE, count: 1 }
      ]
    ]
  ]
  for (const [name, registrations, expected] of cases) {
    it(name, async () => {
      const checks = checksWith()
      assert.equal(checks.outcomeOfReply('DISCOVER', page(registrations)), 'OK')
      assert.deepEqual(await checks.finish(), expected)
    })
  }

  it('are checked once', async () => {
    const checks = checksWith()
    checks.outcomeOfReply('DISCOVER', page([forged(first)]))
    assert.deepEqual(await checks.finish(), await checks.finish())
  })

  it('are checked of all replies when they are few', async () => {
    const checks = checksWith()
    for (let i = 0; i < 20; i++) checks.outcomeOfReply('DISCOVER', page([forged(first)]))
    assert.deepEqual(await checks.finish(), [{ detail: INVALID, count: 20 }])
  })

  it('are checked of twenty replies when they are many', async () => {
    const checks = checksWith()
    for (let i = 0; i < 500; i++) checks.outcomeOfReply('DISCOVER', page([forged(first)]))
    assert.deepEqual(await checks.finish(), [{ detail: INVALID, count: 20 }])
  })

  it('are checked for five seconds, however many there are', async () => {
    let ms = 0
    const checks = checksWith({ clock: () => (ms += 10) })
    await checks.checkPages(Array(100_000).fill(first))
    const [{ detail }] = await checks.finish()
    assert.match(detail, /the same peer more than once/)
    assert.ok(ms < 6000, `${ms}`)
  })

  it('of empty and bad replies are not counted in', async () => {
    const checks = checksWith({ expected: 0 })
    for (let i = 0; i < 50; i++) checks.outcomeOfReply('DISCOVER', page([]))
    for (let i = 0; i < 19; i++) checks.outcomeOfReply('DISCOVER', page([forged(first)]))
    assert.deepEqual(await checks.finish(), [{ detail: INVALID, count: 19 }])
  })

  it('are checked of every reply with the same chance', async () => {
    // of 60 replies each is among the 20 sampled in a third of 600 runs: 200, standard deviation 11.5
    const random = subStream(7, 'reservoir')
    const chosen = Array(60).fill(0)
    for (let run = 0; run < 600; run++) {
      const checks = checksWith({ random })
      for (let reply = 0; reply < 60; reply++) {
        const registration = {
          ns: 'a',
          get signedPeerRecord() {
            chosen[reply]++
            return undefined
          }
        }
        checks.outcomeOfReply('DISCOVER', page([registration]))
      }
      await checks.finish()
    }
    assert.equal(
      chosen.reduce((sum, n) => sum + n, 0),
      600 * 20
    )
    for (const count of chosen) assert.ok(Math.abs(count - 200) < 50, `${chosen}`)
    const early = chosen.slice(0, 20).reduce((sum, n) => sum + n, 0)
    assert.ok(Math.abs(early - 4000) < 200, `of the first twenty ${early}`)
  })
})

describe('what goes wrong beside replies', () => {
  it('is told with how often it did: replies that nobody asked for, and pages that could not be read', async () => {
    const checks = checksWith({})
    checks.unasked()
    checks.unasked()
    checks.pagesFailed(new Error('it is gone'))
    assert.deepEqual(await checks.finish(), [
      { detail: 'another reply to a request that has had its own', count: 2 },
      { detail: 'page by page: it is gone', count: 1 }
    ])
    checks.beginAnew()
    assert.deepEqual(await checks.finish(), [])
  })
})
