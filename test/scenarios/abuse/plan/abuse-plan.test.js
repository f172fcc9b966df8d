import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { abusePlan } from '../../../../src/scenarios/abuse/abuse-plan.js'
import { casesOf } from '../../../../src/scenarios/abuse/plan/cases.js'
import { KINDS } from '../../../../src/scenarios/rendezvous/plan/hostile-kinds.js'
import { estimateMs, makePlanOf, planFlags } from '../../../scenarios.js'

const PEER = '12D3KooWGDL7oNHzMG3KQAUhxFs1MzX8PoZLuh99JGs6NqwScPWt'
const HERE = `/ip4/127.0.0.1/tcp/4001/p2p/${PEER}`
const ELSEWHERE = `/ip4/192.168.1.5/tcp/4001/p2p/${PEER}`

/** @param {Record<string, unknown>} options */
function planned(options) {
  const { plan, problems } = makePlanOf('abuse', options)
  assert.deepEqual(problems, undefined)
  return abusePlan(plan)
}

/** @param {Record<string, unknown>} options */
const namesOf = options => casesOf(planned(options)).map(({ name }) => name)

/** @param {Record<string, unknown>} options */
const flagsOf = options => planFlags(/** @type {any} */ (planned(options)))

/** @param {Record<string, unknown>} options */
const refused = options =>
  (makePlanOf('abuse', options).problems ?? []).map(
    ({ flag, value, allowed }) => `${flag} ${value} ${allowed}`
  )

describe('the plan of abuse', () => {
  test('without flags has every kind at its own rate, and needs no flag to be made again', () => {
    assert.deepEqual(namesOf({}), Object.keys(KINDS))
    assert.deepEqual(flagsOf({}), [])
  })

  for (const [kinds, names] of /** @type {[string, string[]][]} */ ([
    ['requests', ['requests']],
    ['requests,frames×10', ['requests', 'frames×10']],
    ['Frames x10, slow*2', ['frames×10', 'slow×2']],
    ['frames,frames×1,frames×10,frames', ['frames', 'frames×10']]
  ]))
    test(`of --kinds '${kinds}' is ${names}`, () => assert.deepEqual(namesOf({ kinds }), names))

  test('is made again by its flags', () => {
    const flags = flagsOf({ kinds: 'requests,frames x10', stretch: '2s', rate: '60/s' })
    assert.deepEqual(
      flags,
      ['--kinds requests,frames×10', '--rate 60/s', '--stretch 2000ms'].map(flag =>
        flag.includes('×') ? "--kinds 'requests,frames×10'" : flag
      )
    )
  })

  test('for a server of others leaves out of all what is of ours alone', () => {
    for (const options of [{ target: HERE }, { target: HERE, kinds: 'all' }]) {
      const names = namesOf(options)
      assert.ok(!names.includes('http') && names.length === Object.keys(KINDS).length - 1)
      assert.deepEqual(flagsOf(options), [`--target ${HERE}`])
    }
  })

  test('takes as long as all of its stretches, and what is around them', () => {
    const short = estimateMs(/** @type {any} */ (planned({ kinds: 'slow', pairs: 6 })))
    const long = estimateMs(/** @type {any} */ (planned({ kinds: 'slow,unread', pairs: 6 })))
    assert.equal(long, 2 * short)
    assert.ok(short > 6 * 2 * 5000)
  })

  test('sends hostile peers to another host only where that is said to be the own', () => {
    assert.match(refused({ target: ELSEWHERE })[0], /^--target .* leads to another host: .*--iOwnTheTarget/)
    assert.equal(planned({ target: ELSEWHERE, iOwnTheTarget: true }).target, ELSEWHERE)
    assert.equal(planned({ target: HERE }).target, HERE)
  })

  for (const [why, options, pattern] of /** @type {[string, Record<string, unknown>, RegExp][]} */ ([
    [
      'a kind that is none',
      { kinds: 'requests,smoke' },
      /^--kinds requests,smoke must be all, or some of http, requests,/
    ],
    [
      'times beyond what can be sent',
      { kinds: 'requests×101' },
      /^--kinds requests×101 must be .* up to ×100/
    ],
    ['no times at all', { kinds: 'requests×0' }, /^--kinds requests×0 must be/],
    ['an empty list', { kinds: '' }, /^--kinds .*must be/],
    ['times beside kinds', { times: '1,10' }, /^--times 1,10 is gone: /],
    [
      'more pairs than can be decided exactly',
      { pairs: 21 },
      /^--pairs 21 must be a whole number from 1 to 20/
    ],
    [
      'what of our own server a target has not',
      { kinds: 'http,slow', target: HERE },
      /^--kinds http,slow cannot have http with --target/
    ],
    [
      'too few requests in a stretch',
      { rate: '10/s', stretch: '1s' },
      /^--stretch 1s has 10 requests at --rate 10\/s: at least 20/
    ],
    [
      'a stretch that is too long',
      { stretch: '2m' },
      /^--stretch 2m must be a time with its unit from 500ms to 1m/
    ],
    [
      'a day and more',
      { kinds: Array.from({ length: 60 }, (_, i) => `slow×${i + 1}`).join(), pairs: 20, stretch: '1m' },
      /^--pairs 20 would take .*: at most 24 h/
    ],
    [
      'limits of a process',
      { memory: '512mb' },
      /^--memory 512mb needs --server docker: nothing limits a process/
    ],
    [
      'a place for a server of others',
      { target: HERE, server: 'docker' },
      /^--server docker says where our own server runs and cannot be given with --target/
    ],
    [
      'two ways to read a server',
      { target: HERE, targetPid: 1, targetContainer: 'one' },
      /^--targetContainer one cannot be given together with --targetPid/
    ],
    ['an owner without a target', { iOwnTheTarget: true }, /^--iOwnTheTarget {2}needs --target/],
    ['a figure that is none', { threshold: 'ratio.p98 < 2' }, /^--threshold .*ratio.p98/]
  ]))
    test(`refuses ${why}`, () => {
      const problems = refused(options)
      assert.equal(problems.length, 1, problems.join('\n'))
      assert.match(problems[0], pattern)
    })
})
