import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chooseAgents } from '../../src/agents/choose-agents.js'

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
    node: 'v20.19.0',
    busy: null
  },
  ...more
})
const ids = (/** @type {{ id: string }[]} */ cards) => cards.map(({ id }) => id)

describe('agents for a run', () => {
  const cards = [card('a', { tags: ['eu'] }), card('b', { tags: ['us', 'big'] }), card('c', { tags: ['eu'] })]

  it('are as many as are wanted, by tag', () => {
    assert.deepEqual(ids(chooseAgents(cards, [{ tag: null, count: 2 }], '1.0.0')), ['a', 'b'])
    const wanted = [
      { tag: 'us', count: 1 },
      { tag: 'eu', count: 2 }
    ]
    assert.deepEqual(ids(chooseAgents(cards, wanted, '1.0.0')), ['b', 'a', 'c'])
  })

  it('are refused where there are too few, with why others are none', () => {
    const others = [...cards, card('d', { busy: 'run-7' }), card('e', { version: '0.9.0' })]
    assert.throws(() => chooseAgents(others, [{ tag: null, count: 4 }], '1.0.0'), {
      code: 'NO_AGENTS',
      message:
        /4 agents: asked for, and 3 free.*agent d \(host-d\): is busy with run run-7.*version 0\.9\.0, and this is version 1\.0\.0/
    })
    assert.throws(() => chooseAgents(cards, [{ tag: 'big', count: 2 }], '1.0.0'), /2 agents with the tag big/)
  })
})
