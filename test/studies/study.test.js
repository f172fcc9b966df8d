import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { estimateFixedMs } from '../../src/scenarios/rendezvous/plan/rendezvous-plan.js'
import { makeSequence, makeStudyHead, runStudy } from '../../src/studies/study.js'
import { planned } from '../plan/planned.js'
import { sampleResult } from '../report/sample-result.js'
import { temporaryFolder } from '../temporary-folder.js'
import { studyComponents } from './study-components.js'

const base = temporaryFolder()

const PLAN = planned({ benchmarkRuns: 50 })
let studies = 0

/**
 * A study of so many runs, one after the other. It ends at the first that is not complete.
 *
 * @param {number} runs
 * @param {(index: number) => Promise<object> | object} resultOf - of a run, from 1: parts of its result
 * @param {{ fleets?: import('../../src/run/fleet.js').FleetPool } & Record<string, any>} [more]
 */
function studyOf(runs, resultOf, { fleets, ...more } = {}) {
  const document = { ...makeStudyHead('a-study', new Date(0)), kept: /** @type {string[]} */ ([]) }
  /** @type {string[]} what was in the document each time it was saved */
  const saved = []
  /** @type {number[]} */
  const etas = []
  const controller = new AbortController()
  /** @type {unknown[]} */
  const errors = []
  /** @type {unknown[]} fleets of its runs */
  const given = []
  /** @type {unknown[]} where its runs were told to have the server */
  const servers = []
  let begun = 0
  const components = studyComponents(base, {
    fleets,
    async *runScenario(
      /** @type {any} */ plan,
      /** @type {{ id: string, fleet?: any, server?: string }} */ { id, fleet, server }
    ) {
      given.push(fleet)
      servers.push(server)
      const result = { ...sampleResult(), id, plan, ...(await resultOf(++begun)) }
      yield/** @type {any} */ ({ type: 'result', result })
    },
    signal: controller.signal,
    progress: {
      begin: (/** @type {{ etaMs: number }} */ { etaMs }) => void etas.push(etaMs),
      add() {},
      end() {},
      notice() {},
      close() {}
    },
    tellError: (/** @type {unknown} */ error) => void errors.push(error)
  })
  const folder = join(base, String(studies++))
  const study = {
    document,
    file: {
      ...{ file: 'a.json', former: [] },
      write: async () => void saved.push(`${document.status}:${document.kept.join()}`),
      read: async () => null
    },
    folder,
    conduct: makeSequence(
      Array.from({ length: runs }, (_, i) => ({
        label: `run ${i + 1}`,
        plan: PLAN,
        part: 'runs',
        name: `run-${i + 1}`,
        isDone: () => document.kept.length > i,
        /** @param {{ status: string }} ended @param {string} inside */
        keep({ status }, inside) {
          if (status === 'complete') document.kept.push(inside)
        }
      }))
    ),
    ...more
  }
  const ended = () => runStudy(study, components)
  return { document, saved, etas, errors, given, servers, controller, folder, ended }
}

describe('a study', () => {
  test('ends after it began, though the clock of the machine was set back meanwhile', async () => {
    const startedAt = new Date(5000).toISOString()
    const { document, ended } = studyOf(1, () => ({}))
    document.startedAt = startedAt
    await ended()
    assert.ok(Date.parse(String(document.finishedAt)) >= 5000, String(document.finishedAt))
  })

  test('runs what it has to, one after the other, and keeps its document up to date', async () => {
    const { document, saved, etas, ended } = studyOf(2, () => ({}))
    await ended()
    assert.deepEqual(
      [document.status, document.reason, document.kept],
      ['complete', null, ['runs/run-1', 'runs/run-2']]
    )
    assert.deepEqual(saved, [
      'running:',
      'running:runs/run-1',
      'running:runs/run-1,runs/run-2',
      'complete:runs/run-1,runs/run-2'
    ])
    assert.ok(Date.parse(String(document.finishedAt)) >= 1000)
    assert.ok(etas[0] > 0)
  })

  test('says how long the rest takes by how long its runs took beside their estimates', async () => {
    const { etas, ended } = studyOf(3, () => ({}))
    await ended()
    const anywhere = estimateFixedMs(PLAN)
    assert.ok(etas[0] > 3 * anywhere)
    // runs that are made up take no time beyond what they take on any machine
    assert.deepEqual(etas.slice(1), [2 * anywhere, anywhere])
  })

  test('ends at a run that did not come to its end, and keeps what was before', async () => {
    const reason = { code: 'SERVER_DIED', message: 'the server ended' }
    const { document, ended } = studyOf(3, index => (index === 2 ? { status: 'partial', reason } : {}))
    await ended()
    assert.deepEqual([document.status, document.reason, document.kept], ['partial', reason, ['runs/run-1']])
  })

  test('that is interrupted says so, whatever became of the run that went on', async () => {
    const study = studyOf(3, index => {
      if (index === 2) study.controller.abort(new Error('interrupted by SIGINT'))
      return index === 2 ? { status: 'partial', reason: { code: 'X', message: 'x' } } : {}
    })
    await study.ended()
    assert.deepEqual(study.document.reason, { code: 'INTERRUPTED', message: 'interrupted by SIGINT' })
    assert.deepEqual(study.document.kept, ['runs/run-1'])
  })

  test('is not complete as long as something of it is open, and concludes before it is saved', async () => {
    const reason = { code: 'ROWS_FAILED', message: '1 row is not complete' }
    let concluded = 0
    const { document, ended } = studyOf(1, () => ({}), { open: () => reason, conclude: () => concluded++ })
    await ended()
    assert.deepEqual([document.status, document.reason, concluded], ['partial', reason, 1])
  })

  test('throws what is neither an interruption nor a run that failed', async () => {
    const { ended } = studyOf(1, () => ({}), {
      conduct: () => Promise.reject(new TypeError('a mistake of ours'))
    })
    await assert.rejects(ended, /a mistake of ours/)
  })

  test('keeps each run in a folder of its own, also where it was broken off and is run again', async () => {
    const { folder, document, ended } = studyOf(2, index => (index === 2 ? { status: 'partial' } : {}))
    await ended()
    await ended()
    assert.deepEqual((await readdir(join(folder, 'runs'))).sort(), ['run-1', 'run-2', 'run-2-2'])
    assert.deepEqual(
      [document.status, document.kept],
      ['complete', ['runs/run-1', 'runs/run-2-2']],
      'what was complete is not run again'
    )
  })
})

describe('a study whose plans leave it to --server auto where the server runs', () => {
  const { outcome } = sampleResult()
  const chosen = { kind: 'docker', chosenBy: 'an engine answers' }
  const inDocker = { outcome: { ...outcome, target: { ...outcome.target, ...chosen } } }

  test('has it where its first run had it, also when it is gone on with', async () => {
    const { servers, document, ended } = studyOf(3, index => (index === 1 ? inDocker : {}))
    await ended()
    assert.deepEqual(servers, [undefined, 'docker', 'docker'])
    assert.equal(document.server, 'docker')
  })
})

describe('a study over agents', () => {
  /** @param {(turn: number) => object} [fails] - with what a fleet cannot be had for a run, from 1; default: it can */
  function fleetsOf(fails = () => ({})) {
    /** @type {string[]} */
    const seen = []
    let turn = 0
    const fleets = {
      async forRun() {
        turn++
        const error = fails(turn)
        if ('code' in error) throw error
        const fleet = `fleet ${turn}`
        seen.push(`${fleet} lent`)
        return { fleet: /** @type {any} */ (fleet), close: async () => void seen.push(`${fleet} back`) }
      }
    }
    return { seen, fleets }
  }

  test('has agents for each run, and gives them back before the next', async () => {
    const { seen, fleets } = fleetsOf()
    const { document, given, ended } = studyOf(2, () => ({}), { fleets })
    await ended()
    assert.equal(document.status, 'complete')
    assert.deepEqual(given, ['fleet 1', 'fleet 2'])
    assert.deepEqual(seen, ['fleet 1 lent', 'fleet 1 back', 'fleet 2 lent', 'fleet 2 back'])
  })

  test('ends where they cannot be had any more, and begins no run', async () => {
    const gone = Object.assign(new Error('agent 3f (host): it does not answer'), { code: 'NO_AGENTS' })
    const { fleets } = fleetsOf(turn => (turn === 2 ? gone : {}))
    const { document, folder, ended } = studyOf(3, () => ({}), { fleets })
    await ended()
    assert.deepEqual(document.reason, { code: gone.code, message: gone.message })
    assert.deepEqual(await readdir(join(folder, 'runs')), ['run-1'])
  })

  for (const code of ['AGENT_LOST', 'BUS_LOST'])
    test(`ends with a run that ended with ${code}, whatever others do after a failure`, async () => {
      const reason = { code, message: 'gone' }
      const { seen, fleets } = fleetsOf()
      const lost = { status: 'partial', reason }
      const study = studyOf(3, index => (index === 2 ? lost : {}), { fleets })
      await study.ended()
      assert.deepEqual(study.document.reason, reason)
      assert.deepEqual(seen.slice(-1), ['fleet 2 back'])
    })
})
