import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { serverNotes } from '../../../../src/scenarios/rendezvous/view/server-notes.js'
import { SERVER, sampleResult } from '../../../report/sample-result.js'

/** @typedef {import('../../../../src/result/types.js').Result['outcome']['target']} Target */

const CONTAINER = {
  id: 'c0',
  name: 'c',
  image: 'server:1',
  imageId: 'sha256:1',
  cpus: null,
  memoryBytes: null
}
const NOT_TO_BE_COMPARED =
  'a process and a container are counted differently, so never compare one with the other.'

/** @type {[string, Partial<Target>, typeof SERVER | null, string[]][]} */
const CASES = [
  ['a process that was asked for', {}, SERVER, [`Server memory: resident set; ${NOT_TO_BE_COMPARED}`]],
  [
    'a process that --server auto took',
    { chosenBy: 'no Docker engine answers (there is none)' },
    null,
    ['Server in a process of its own: no Docker engine answers (there is none).']
  ],
  [
    'a container',
    { kind: 'docker', container: CONTAINER },
    { ...SERVER, memoryCountedAs: 'container usage without page cache' },
    [
      'Server in a Docker container of server:1.',
      `Server memory: container usage without page cache; ${NOT_TO_BE_COMPARED}`
    ]
  ],
  [
    'a container with limits',
    {
      kind: 'docker',
      chosenBy: 'an image is there',
      container: { ...CONTAINER, cpus: 0.5, memoryBytes: 512e6 }
    },
    null,
    ['Server in a Docker container of server:1, limited to 0.5 cores and 512 MB.']
  ],
  [
    "somebody's container",
    { kind: 'address', container: { ...CONTAINER, cpus: 1 } },
    null,
    ['Server of your own in a Docker container of server:1, limited to 1 core.']
  ],
  ['an address', { kind: 'address' }, null, []]
]

describe('the notes say of', () => {
  for (const [what, target, server, expected] of CASES) {
    test(what, () => {
      const result = sampleResult({ outcome: { server } })
      Object.assign(result.outcome.target, target)
      assert.deepEqual(serverNotes(result), expected)
    })
  }
  test('what each of several has served, in the same order', () => {
    const result = sampleResult({ outcome: { server: null } })
    const work = { count: 20, p50: null, p99: null }
    const asked = [
      { REGISTER: work, DISCOVER: work },
      { DISCOVER: work, REGISTER: work }
    ]
    const members = asked.map((durations, index) => ({ ...SERVER, name: `server ${index + 1}`, durations }))
    Object.assign(result.outcome, { members, measuredMs: 1000 })
    const served = serverNotes(result).find(note => note.startsWith('Served by each'))
    assert.match(
      `${served}`,
      /server 1 20\S* DISCOVER\/s .* REGISTER\/s .*, server 2 20\S* DISCOVER\/s .* REGISTER/
    )
  })

  for (const [checkpointFsyncs, also] of /** @type {const} */ ([
    [12, ', and 12 files in checkpoints that ended'],
    [undefined, '']
  ]))
    test(`what a database has written, ${checkpointFsyncs} files of it by checkpoints`, () => {
      const result = sampleResult({ outcome: { server: null } })
      const written = { writtenBytes: 40e6, walBytes: 30e6, fsyncs: 500, checkpointFsyncs, ms: 10_000 }
      const cpu = { averagePercent: 10, medianPercent: 10, maxPercent: 10, samples: 10 }
      const memory = { averageBytes: 1e7, medianBytes: 1e7, maxBytes: 1e7, samples: 10 }
      Object.assign(result.outcome, { members: [{ name: 'database', cpu, memory, written }] })
      assert.ok(
        serverNotes(result).includes(
          `The database wrote 4.00 MB/s, 3.00 of it to its log, and flushed 50.0 times a second${also}.`
        )
      )
    })
})
