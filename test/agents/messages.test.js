import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AGENT_ENTRIES,
  BUS_FORMAT,
  findEntryName,
  makeIgnoredReport,
  REQUEST_SCHEMA,
  readAgentCard
} from '../../src/agents/messages.js'

test('the format of messages follows from what they and plans hold', () =>
  assert.match(BUS_FORMAT, /^[\da-f]{12}$/))

test('a message that is none of an agent is refused', () => {
  for (const message of [
    { kind: 'sneeze', run: 'r' },
    { kind: 'open', run: 'r' },
    { kind: 'call', run: 'r', id: 1, worker: 0, method: 'close', args: 'none' },
    { kind: 'lease', run: 'r', study: null, version: '1', format: BUS_FORMAT, plan: {}, workers: 1 }
  ])
    assert.equal(REQUEST_SCHEMA.safeParse(message).success, false, JSON.stringify(message))
})

test('what is asked for is taken with all that stands in it', () => {
  const message = {
    kind: 'start',
    run: 'r',
    id: 1,
    worker: 0,
    entry: 'e',
    name: 'n',
    setup: { at: 5n },
    calls: ['a'],
    more: 1
  }
  assert.deepEqual(REQUEST_SCHEMA.parse(message), message)
})

const CARD = {
  ...{ id: 'a1', host: 'box', address: '10.0.0.1', tags: ['eu'], cores: 2, memoryBytes: 1e9 },
  ...{ version: '1.2.3', format: '2', node: 'v22.0.0', busy: null }
}

test('an agent is what says all of itself under its own key', () => {
  assert.deepEqual(readAgentCard('agent.a1', CARD), CARD)
  const { format, ...older } = CARD
  assert.deepEqual(readAgentCard('agent.a1', older), older)
  assert.equal(readAgentCard('agent.b2', CARD), null)
})

for (const [what, odd] of /** @type {[string, any][]} */ ([
  ['no JSON', undefined],
  ['null', null],
  ['a number', 7],
  ['tags of another type', { ...CARD, tags: 'eu' }],
  ['a tag of another type', { ...CARD, tags: [7] }],
  ['no cores', { ...CARD, cores: 'two' }],
  ['a host that a terminal would obey', { ...CARD, host: '\u001b[2J' }],
  ['who has it, of another type', { ...CARD, busy: {} }]
]))
  test(`what says ${what} is no agent`, () => assert.equal(readAgentCard('agent.a1', odd), null))

test('what is passed over is named in a line, once', () => {
  /** @type {string[]} */
  const said = []
  const passOver = makeIgnoredReport(text => void said.push(text))
  for (const place of ['entry agent.x', 'entry agent.x', 'entry agent.y']) passOver(place)
  assert.deepEqual(said, [
    'entry agent.x on the bus is not of this tool, and is ignored',
    'entry agent.y on the bus is not of this tool, and is ignored'
  ])
  for (let i = 0; i < 1000; i++) passOver(`entry agent.${i}`)
  assert.equal(said.length, 16)
})

test('an agent starts programs by the name they have, and none that has none', () => {
  for (const [name, entry] of Object.entries(AGENT_ENTRIES)) assert.equal(findEntryName(new URL(entry)), name)
  assert.throws(() => findEntryName(new URL('file:///a/b.js')), /\/a\/b\.js runs on this machine only/)
})
