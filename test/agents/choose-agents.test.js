import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chooseAgents } from '../../src/agents/placement.js'

/** @param {string} id @param {Partial<import('../../src/agents/agent.js').AgentCard>} [more] */
const card = (id, more = {}) => ({
  ...{
    id,
    host: `host-${id}`,
    address: '127.0.0.1',
    tags: [],
    cores: 2,
    memoryBytes: 4e9,
    version: '1.0.0',
    format: '2',
    node: 'v20.19.0',
    busy: null
  },
  ...more
})
const OWN = { version: '1.0.0', format: '2' }
const ids = (/** @type {{ id: string }[]} */ cards) => cards.map(({ id }) => id)

describe('agents for a run', () => {
  const cards = [card('a', { tags: ['eu'] }), card('b', { tags: ['us', 'big'] }), card('c', { tags: ['eu'] })]

  it('are as many as are wanted, by tag', () => {
    assert.deepEqual(ids(chooseAgents(cards, [{ tag: null, count: 2 }], OWN)), ['a', 'b'])
    const wanted = [
      { tag: 'us', count: 1 },
      { tag: 'eu', count: 2 }
    ]
    assert.deepEqual(ids(chooseAgents(cards, wanted, OWN)), ['b', 'a', 'c'])
  })

  it('are refused where there are too few, with why others are none', () => {
    const others = [...cards, card('d', { busy: 'run-7' }), card('e', { version: '0.9.0' })]
    assert.throws(() => chooseAgents(others, [{ tag: null, count: 4 }], OWN), {
      code: 'NO_AGENTS',
      message:
        /4 agents: asked for, and 3 free.*agent d \(host-d\): is busy with run run-7.*version 0\.9\.0, and this is version 1\.0\.0/
    })
    assert.throws(() => chooseAgents(cards, [{ tag: 'big', count: 2 }], OWN), /2 agents with the tag big/)
  })

  it('are refused where they speak otherwise on the bus, of whatever version they are', () => {
    const { format: _, ...first } = card('a')
    for (const [other, theirs] of /** @type {[import('../../src/agents/agent.js').AgentCard, string][]} */ ([
      [first, 'format 1'],
      [card('a', { format: '3' }), 'format 3']
    ]))
      assert.throws(
        () => chooseAgents([other], [{ tag: null, count: 1 }], OWN),
        new RegExp(
          `agent a \\(host-a\\): is version 1\\.0\\.0 with ${theirs} of the bus, and this is version 1\\.0\\.0 with format 2`
        )
      )
  })
})
