import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultTopicScoreParams } from '@libp2p/gossipsub/score'
import { z } from 'zod'
import {
  TOPIC_SCORE_PARAMS,
  topicScoreParams
} from '../../../../src/scenarios/gossip/plan/topic-score-params.js'

const PARAMS = { foo: { topicWeight: 1, timeInMeshQuantum: 1000 } }

/** @param {unknown} value @param {(path: string) => string} [readText] */
const read = (value, readText) => topicScoreParams(readText).read?.(value, /** @type {any} */ (z))

/** @param {string} code */
const failing = code => () => {
  throw Object.assign(new Error(code), { code })
}

describe('parameters of scores by topic', () => {
  it('are read from a mapping, from YAML, from JSON and from a file', () => {
    const yaml = 'foo: { topicWeight: 1, timeInMeshQuantum: 1000 }'
    assert.deepEqual(read(PARAMS), { value: PARAMS })
    assert.deepEqual(read(yaml), { value: PARAMS })
    assert.deepEqual(read(topicScoreParams().write(PARAMS)), { value: PARAMS })
    const files = (/** @type {string} */ path) => (path === 'scores.yaml' ? yaml : '')
    assert.deepEqual(read(' file:scores.yaml ', files), { value: PARAMS })
  })

  it('that are neither YAML nor JSON are refused in one line that says where', () => {
    const { allowed } = /** @type {{ allowed: string }} */ (read('{ foo: '))
    assert.match(allowed, /^is not valid YAML or JSON: .*line 1.*$/)
  })

  it('in a file that cannot be read are refused with why', () => {
    assert.deepEqual(read('file:none.yaml', failing('ENOENT')), {
      allowed: 'names a file that cannot be read (ENOENT)'
    })
  })

  it('have the names of the library, and others are refused', () => {
    assert.deepEqual(TOPIC_SCORE_PARAMS, Object.keys(defaultTopicScoreParams))
    const { allowed } = /** @type {{ allowed: string }} */ (read({ foo: { topicWieght: 1 } }))
    assert.equal(allowed, 'topic foo has the unknown key "topicWieght"; did you mean topicWeight?')
  })

  it('that are no mapping by topic are refused with an example', () => {
    for (const value of ['fast', 7, { foo: 1 }, { foo: { topicWeight: 'much' } }]) {
      const { allowed } = /** @type {{ allowed: string }} */ (read(value))
      assert.match(allowed, /^must hold parameters by topic, such as \{ foo: \{ topicWeight: 1, /)
    }
  })
})
