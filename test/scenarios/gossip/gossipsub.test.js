import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import {
  createPeerScoreParams,
  createPeerScoreThresholds,
  createTopicScoreParams,
  validatePeerScoreParams,
  validatePeerScoreThresholds,
  validateTopicScoreParams
} from '@libp2p/gossipsub/score'
import { z } from 'zod'
import { makeSubStream } from '../../../src/kit/random.js'
import {
  computeMaxMessageBytes,
  findGossipsubProblems,
  findMessageBytesProblem,
  findTopicParamProblems,
  GOSSIPSUB_PARAMS,
  GOSSIPSUB_PRESETS,
  LIBRARY_CONSTANTS,
  LIBRARY_DEFAULTS,
  makeGossipsubSchema,
  makeTopicScoreSchema,
  PRESET_TOPIC_SCORES,
  parseGossipsub,
  parseTopicScore,
  REFUSED_OPTIONS,
  topicScoreParamsKind
} from '../../../src/scenarios/gossip/gossipsub.js'

const LIBRARY = import.meta.resolve('@libp2p/gossipsub')
const constants = await import(new URL('constants.js', LIBRARY).href)

/**
 * keysIn reads the keys of an interface from the library's declarations.
 *
 * @param {string} file
 * @param {string} name
 * @returns {string[]}
 */
function keysIn(file, name) {
  const text = readFileSync(new URL(file, LIBRARY), 'utf8')
  const body = new RegExp(`export interface ${name}(?: extends \\w+)? \\{\\n(.*?)\\n\\}`, 's').exec(text)?.[1]
  assert.ok(body !== undefined, `${name} in ${file}`)
  const keys = [...body.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/^ {4}(\w+)\??[:(]/gm)].map(([, key]) => key)
  assert.ok(keys.length >= 4, `${name}: ${keys}`)
  return keys
}

const gossipsubSchema = /** @type {any} */ (z.toJSONSchema(makeGossipsubSchema(z))).properties
const topicSchema = /** @type {any} */ (z.toJSONSchema(makeTopicScoreSchema(z))).properties

describe('every parameter that the types of the library name', () => {
  const bySpecification = Object.entries(GOSSIPSUB_PARAMS).flatMap(([flag, { param }]) =>
    flag === param ? [] : [flag]
  )
  /** @type {[string, string[], object, string[]][]} part, keys of the types, what is taken, what is taken beside them */
  const cases = [
    [
      'GossipsubOpts',
      [...keysIn('index.d.ts', 'GossipsubOpts'), ...keysIn('config.d.ts', 'GossipsubOptsSpec')],
      gossipsubSchema,
      [...bySpecification, 'heartbeat', 'score']
    ],
    [
      'PeerScoreParams',
      keysIn('score/peer-score-params.d.ts', 'PeerScoreParams'),
      gossipsubSchema.score.properties,
      ['thresholds']
    ],
    [
      'PeerScoreThresholds',
      keysIn('score/peer-score-thresholds.d.ts', 'PeerScoreThresholds'),
      gossipsubSchema.score.properties.thresholds.properties,
      []
    ],
    [
      'DecodeRPCLimits',
      keysIn('message/decodeRpc.d.ts', 'DecodeRPCLimits'),
      gossipsubSchema.decodeRpcLimits.properties,
      []
    ],
    ['TopicScoreParams', keysIn('score/peer-score-params.d.ts', 'TopicScoreParams'), topicSchema, []]
  ]
  for (const [part, keys, taken, beside] of cases)
    it(`is taken or refused with the reason: ${part}`, () => {
      const own = Object.keys(taken).filter(key => !beside.includes(key))
      const refused = keys.filter(key => Object.hasOwn(REFUSED_OPTIONS, key))
      assert.deepEqual([...own, ...refused].sort(), [...keys].sort())
    })

  it('and none is refused that there is not', () => {
    const all = new Set(cases.flatMap(([, keys]) => keys))
    const actual = Object.keys(REFUSED_OPTIONS).filter(key => !all.has(key))
    assert.deepEqual(actual, [])
  })

  it('constants of the library have its values and no option', () => {
    for (const [name, value] of Object.entries(LIBRARY_CONSTANTS)) assert.equal(constants[name], value, name)
    const code = readFileSync(new URL('gossipsub.js', LIBRARY), 'utf8')
    const defaults = [...code.matchAll(/^ {12}(\w+): constants\.(\w+)/gm)].map(([, , name]) => name)
    const actual = Object.keys(LIBRARY_CONSTANTS).filter(name => defaults.includes(name))
    assert.deepEqual(actual, [])
  })

  it('those said to be without effect are read nowhere', () => {
    const code = readFileSync(new URL('gossipsub.js', LIBRARY), 'utf8')
    for (const [name, why] of Object.entries(REFUSED_OPTIONS))
      if (/its code does not read/.test(why))
        assert.doesNotMatch(code, new RegExp(`(opts|options)\\.${name}\\b`), name)
  })

  it('parameters of a topic other than its score are not there: the mesh is kept by options alone', () => {
    const code = readFileSync(new URL('gossipsub.js', LIBRARY), 'utf8')
    assert.match(code, /const \{ D, Dlo, Dhi, Dscore, Dout, fanoutTTL \} = this\.opts;/)
    assert.doesNotMatch(code, /topicParams|paramsOf|opts\.topics/)
  })
})

describe('the mapping gossipsub of a network file', () => {
  const LISTS = { IPColocationFactorWhitelist: ['10.0.0.1', '::1'] }
  /** @type {[unknown, Record<string, unknown>][]} what stands there, by the library's names */
  const read = [
    [{}, {}],
    [
      { Dlo: 5, D_high: 14, heartbeat: '700ms' },
      { Dlo: 5, Dhi: 14, heartbeatInterval: 700 }
    ],
    [
      { heartbeat_interval: 700, fanoutTTL: '1m', D: null },
      { heartbeatInterval: 700, fanoutTTL: 60_000 }
    ],
    [
      { maxTopicBytesPerPeer: '2MiB', maxInboundDataLength: 65_536 },
      { maxTopicBytesPerPeer: 2_097_152, maxInboundDataLength: 65_536 }
    ],
    [
      { floodPublish: false, batchPublish: true },
      { floodPublish: false, batchPublish: true }
    ],
    [{ decodeRpcLimits: { maxMessages: 10 } }, { maxMessages: 10 }],
    [
      { score: { thresholds: { gossipThreshold: -5 }, topicScoreCap: 3, retainScore: '1h', ...LISTS } },
      { gossipThreshold: -5, topicScoreCap: 3, retainScore: 3_600_000, ...LISTS }
    ]
  ]
  for (const [value, gossipsub] of read)
    it(`holds ${JSON.stringify(value)}`, () => {
      const found = parseGossipsub(value)
      assert.deepEqual([found.gossipsub, found.problems], [gossipsub, []])
      assert.ok(makeGossipsubSchema(z).safeParse(withoutNull(value)).success)
    })

  it('says where each parameter was given', () => {
    const { places } = parseGossipsub({ D_low: 3, score: { thresholds: { gossipThreshold: -5 } } })
    assert.deepEqual(places, { Dlo: ['D_low'], gossipThreshold: ['score', 'thresholds', 'gossipThreshold'] })
  })

  /** @type {[unknown, string, RegExp][]} what stands there, place of the problem, message */
  const refused = [
    [7, '', /^must be a mapping of parameters$/],
    [{ D: -1 }, 'D', /^must be a whole number from 0 to 1,000$/],
    [{ D: '8' }, 'D', /^must be a whole number/],
    [{ D: [8] }, 'D', /^must be a whole number/],
    [{ heartbeat: 'soon' }, 'heartbeat', /^must be a time with its unit from 10ms to 1h/],
    [{ floodPublish: 'no' }, 'floodPublish', /^must be true or false$/],
    [{ maxTopicBytesPerPeer: 'much' }, 'maxTopicBytesPerPeer', /^must be a size/],
    [{ maxInboundDataLength: '5MiB' }, 'maxInboundDataLength', /^must be a size from 2KiB to 4MiB/],
    [{ Dlo: 3, D_low: 3 }, 'D_low', /^is the same parameter as Dlo: give one of them$/],
    [
      { heartbeat: '1s', heartbeatInterval: 1000 },
      'heartbeatInterval',
      /^is the same parameter as heartbeat/
    ],
    [{ Dlow: 3 }, 'Dlow', /^is not a parameter; did you mean Dlo\?$/],
    [{ colour: 3 }, 'colour', /^is not a parameter: must be one of D, /],
    [{ decodeRpcLimits: { maxMesages: 3 } }, 'decodeRpcLimits.maxMesages', /did you mean maxMessages\?$/],
    [{ decodeRpcLimits: 3 }, 'decodeRpcLimits', /^must be a mapping/],
    [{ score: { topicWeight: 1 } }, 'score.topicWeight', /^belongs in score of a topic$/],
    [{ gossipThreshold: -1 }, 'gossipThreshold', /^belongs in thresholds in score of gossipsub$/],
    [
      { score: { thresholds: { gossipThreshold: 1 } } },
      'score.thresholds.gossipThreshold',
      /from -1,000,000,000 to 0$/
    ],
    [
      { score: { IPColocationFactorWhitelist: ['x'] } },
      'score.IPColocationFactorWhitelist',
      /^must be a list of IP addresses$/
    ],
    [{ score: { decayInterval: '500ms' } }, 'score.decayInterval', /from 1s to 24h/],
    [{ msgIdFn: 'sha256' }, 'msgIdFn', /^is a function/],
    [{ globalSignaturePolicy: 'StrictSign' }, 'globalSignaturePolicy', /^is --signing: /],
    [{ fastMsgIdFn: true }, 'fastMsgIdFn', /--gossipsub fastMsgId=on/],
    [
      { GossipsubMaxIHaveLength: 1 },
      'GossipsubMaxIHaveLength',
      /GossipsubMaxIHaveLength is a constant of @libp2p\/gossipsub, 5000$/
    ],
    [{ max_iwant_messages: 1 }, 'max_iwant_messages', /GossipsubMaxIWantMessages is a constant/]
  ]
  for (const [value, place, message] of refused)
    it(`is refused: ${JSON.stringify(value)}`, () => {
      const [problem, ...more] = parseGossipsub(value).problems
      assert.equal(problem.path.join('.'), place)
      assert.match(problem.message, message)
      assert.deepEqual(more, [])
    })

  it('has all of its problems named', () => {
    const { gossipsub, problems } = parseGossipsub({ D: 'x', Dlo: 3, seenTTL: 'x', score: { topics: {} } })
    assert.deepEqual(gossipsub, { Dlo: 3 })
    const actual = problems.map(({ path }) => path.join('.'))
    assert.deepEqual(actual, ['D', 'seenTTL', 'score.topics'])
  })
})

describe('what gossipsub forbids together', () => {
  /** @type {[Record<string, number>, string | undefined, [string, string][]][]} given, preset, problems */
  const cases = [
    [{}, undefined, []],
    [
      { D: 3 },
      undefined,
      [
        ['D', 'must be at least D_low, which is 4 by default'],
        ['D', 'must be at least twice D_out, which is 2 by default']
      ]
    ],
    [{ Dout: 4, Dlo: 4, D: 8 }, undefined, [['Dout', 'must be 0, or below D_low, which is 4']]],
    [{ Dout: 3, D: 5 }, undefined, [['Dout', 'must be at most half of D, which is 5']]],
    [{ Dout: 3 }, 'waku', []],
    [{ Dlo: 3 }, 'waku', [['Dlo', 'must be above D_out, which is 3 by the preset']]],
    [{ D: 0, Dlo: 0, Dhi: 0, Dout: 0 }, undefined, []],
    [{ mcacheGossip: 6 }, undefined, [['mcacheGossip', 'must be at most mcache_len, which is 5 by default']]],
    [
      { publishThreshold: -5 },
      undefined,
      [['publishThreshold', 'must be at most gossipThreshold, which is -10 by default']]
    ],
    [
      { graylistThreshold: -60, publishThreshold: -70 },
      undefined,
      [['graylistThreshold', 'must be at most publishThreshold, which is -70']]
    ],
    [
      { gossipThreshold: -60 },
      undefined,
      [['gossipThreshold', 'must be at least publishThreshold, which is -50 by default']]
    ],
    [
      { behaviourPenaltyDecay: 1 },
      undefined,
      [
        [
          'behaviourPenaltyDecay',
          'must be above 0 and below 1 unless behaviourPenaltyWeight is 0: it is -10 by default'
        ]
      ]
    ],
    [{ behaviourPenaltyDecay: 1, behaviourPenaltyWeight: 0 }, undefined, []],
    [{ decayToZero: 0 }, undefined, [['decayToZero', 'must be above 0 and below 1']]]
  ]
  for (const [given, preset, problems] of cases)
    it(`${JSON.stringify(given)}${preset === undefined ? '' : ` with ${preset}`}`, () =>
      assert.deepEqual(
        findGossipsubProblems(given, preset).map(({ param, message }) => [param, message]),
        problems
      ))

  /** @param {() => void} validate */
  const throws = validate => {
    try {
      validate()
      return false
    } catch {
      return true
    }
  }
  const draw = makeSubStream(7, 'params')
  /** @param {object} keys @param {Record<string, readonly unknown[]>} of */
  const drawn = (keys, of) =>
    Object.fromEntries(
      Object.keys(keys).flatMap(key => {
        const values = Object.entries(of).find(([ending]) => key.endsWith(ending))?.[1]
        return values === undefined || draw() < 0.5 ? [] : [[key, values[Math.floor(draw() * values.length)]]]
      })
    )

  it('is what the validators of the library refuse: scores of topics', () => {
    const of = {
      ...{ meshMessageDeliveriesWeight: [-1, 0], meshFailurePenaltyWeight: [-1, 0] },
      ...{ invalidMessageDeliveriesWeight: [-1, 0], Weight: [0, 1], Decay: [0, 0.5, 1], Cap: [0, 1] },
      ...{ Threshold: [0, 1], Activation: [0, 999, 1000], Window: [0, 10], Quantum: [1, 1000] }
    }
    for (let i = 0; i < 2000; i++) {
      const score = drawn(topicSchema, of)
      assert.equal(
        parseTopicScore(score).problems.length > 0,
        throws(() => validateTopicScoreParams(createTopicScoreParams(score))),
        JSON.stringify(score)
      )
    }
  })

  it('is what the validators of the library refuse: scores and thresholds', () => {
    const of = {
      ...{ Threshold: [-90, -60, -20, -5, 0, 5], Weight: [-1, 0], Decay: [0, 0.5, 1] },
      ...{ ToZero: [0, 0.5, 1], Interval: [500, 1000] }
    }
    const { thresholds, ...params } = gossipsubSchema.score.properties
    for (let i = 0; i < 2000; i++) {
      const [peer, limits] = [drawn(params, of), drawn(thresholds.properties, of)]
      // the threshold of colocated peers counts from 1 on, whatever its weight
      delete peer.IPColocationFactorThreshold
      if (Number(peer.behaviourPenaltyThreshold) < 0) delete peer.behaviourPenaltyThreshold
      const { gossipsub, problems } = parseGossipsub({ score: { ...peer, thresholds: limits } })
      assert.equal(
        problems.length + findGossipsubProblems(gossipsub).length > 0,
        throws(() => validatePeerScoreParams(createPeerScoreParams(peer))) ||
          throws(() => validatePeerScoreThresholds(createPeerScoreThresholds(limits))),
        JSON.stringify({ peer, limits })
      )
    }
  })

  it('goes by the defaults of the library', () => {
    const code = readFileSync(new URL('gossipsub.js', LIBRARY), 'utf8')
    const options = Object.fromEntries(
      [...code.matchAll(/^ {12}(\w+): constants\.(\w+)/gm)].map(([, key, name]) => [key, constants[name]])
    )
    /** @type {Record<string, unknown>} */
    const all = {
      ...options,
      ...createPeerScoreParams(),
      ...createPeerScoreThresholds(),
      ...createTopicScoreParams()
    }
    for (const [param, value] of Object.entries(LIBRARY_DEFAULTS)) assert.equal(all[param], value, param)
  })
})

describe('presets', () => {
  for (const [name, params] of Object.entries(GOSSIPSUB_PRESETS))
    it(`${name} holds parameters that the library takes, in order`, () => {
      const known = {
        ...gossipsubSchema,
        ...gossipsubSchema.score.properties,
        ...gossipsubSchema.score.properties.thresholds.properties
      }
      const actual = Object.keys(params).filter(key => !Object.hasOwn(known, key))
      assert.deepEqual([actual, findGossipsubProblems(params)], [[], []])
      validatePeerScoreParams(createPeerScoreParams(/** @type {any} */ (params)))
      validatePeerScoreThresholds(createPeerScoreThresholds(/** @type {any} */ (params)))
    })
  for (const [name, score] of Object.entries(PRESET_TOPIC_SCORES))
    it(`${name} holds score parameters of topics that the library takes`, () => {
      assert.deepEqual(parseTopicScore(score), { score, problems: [] })
      validateTopicScoreParams(createTopicScoreParams(score))
    })
})

it('parameters of a topic are refused by name, but for its score', () => {
  assert.deepEqual(findTopicParamProblems({ D: 6, topicWeight: 1 }), [
    {
      path: ['D'],
      message:
        'cannot be set for a topic: @libp2p/gossipsub has no parameters of a topic but those of its score. Give D in gossipsub, for all topics'
    },
    { path: ['topicWeight'], message: 'belongs in score of the topic' }
  ])
  assert.deepEqual(findTopicParamProblems(undefined), [])
})

describe('the size of a message', () =>
  it('is bounded by the length prefix of an RPC, and by maxInboundDataLength below that', () => {
    assert.equal(computeMaxMessageBytes(), 4_193_280)
    assert.equal(computeMaxMessageBytes({ maxInboundDataLength: 65_536 }), 64_512)
    assert.equal(findMessageBytesProblem(4_193_280), undefined)
    assert.match(
      String(findMessageBytesProblem(4_194_304)),
      /^must be at most 4,193,280 bytes: gossipsub sends and reads no RPC above 4 MiB \(4,194,304 bytes\)/
    )
    assert.match(
      String(findMessageBytesProblem(70_000, { maxInboundDataLength: 65_536 })),
      /^must be at most 64,512 bytes: gossipsub reads no RPC above maxInboundDataLength, 65,536 bytes: raise that, to 4MiB at most/
    )
  }))

const PARAMS = { foo: { topicWeight: 1, timeInMeshQuantum: 1000 } }

/** @param {unknown} value @param {(path: string) => string} [readText] */
const read = (value, readText) => topicScoreParamsKind(readText).read?.(value, /** @type {any} */ (z))

/** @param {string} code */
const failing = code => () => {
  throw Object.assign(new Error(code), { code })
}

describe('parameters of scores by topic', () => {
  it('are read from a mapping, from YAML, from JSON and from a file', () => {
    const yaml = 'foo: { topicWeight: 1, timeInMeshQuantum: 1s }'
    assert.deepEqual(read(PARAMS), { value: PARAMS })
    assert.deepEqual(read(yaml), { value: PARAMS })
    assert.deepEqual(read(topicScoreParamsKind().write(PARAMS)), { value: PARAMS })
    const files = (/** @type {string} */ path) => (path === 'scores.yaml' ? yaml : '')
    assert.deepEqual(read(' file:scores.yaml ', files), { value: PARAMS })
  })

  it('that are neither YAML nor JSON are refused in one line that says where', () => {
    const { allowed } = /** @type {{ allowed: string }} */ (read('{ foo: '))
    assert.match(allowed, /^is not valid YAML or JSON: .*line 1.*$/)
  })

  it('in a file that cannot be read are refused with why', () =>
    assert.deepEqual(read('file:none.yaml', failing('ENOENT')), {
      allowed: 'names a file that cannot be read (ENOENT)'
    }))
})

/** @param {unknown} value - a shape has no null: readers pass over it */
const withoutNull = value =>
  Object.fromEntries(Object.entries(/** @type {object} */ (value)).filter(([, each]) => each !== null))
