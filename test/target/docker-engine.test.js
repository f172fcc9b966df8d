import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeRunLabels, removeLeftovers, removeRun } from '../../src/target/docker-engine.js'

const NOW_MS = Date.parse('2026-11-20T08:00:00Z')
const OLD_S = NOW_MS / 1000 - 3600
const OLD = '2026-11-20T07:00:00Z'
const YOUNG = '2026-11-20T07:59:30Z'

/**
 * An engine with containers and networks; `stuck` are ids that cannot be removed, with the status it answers.
 *
 * @param {{ containers?: any[], networks?: any[], stuck?: Record<string, number> }} has
 */
function engine({ containers = [], networks = [], stuck = {} }) {
  /** @type {string[]} */
  const gone = []
  /** @type {any[]} */
  const asked = []
  const removable = (/** @type {string} */ id) => ({
    remove: async () => {
      if (id in stuck) throw Object.assign(new Error('refused'), { statusCode: stuck[id] })
      gone.push(id)
    }
  })
  const docker = /** @type {any} */ ({
    listContainers: async (/** @type {any} */ { filters }) => {
      asked.push(filters)
      return containers
    },
    listNetworks: async (/** @type {any} */ { filters }) => {
      asked.push(filters)
      return networks
    },
    getContainer: removable,
    getNetwork: removable
  })
  return { docker, gone, asked }
}

describe('what a run made', () => {
  test('is removed by its label: containers first, since they are on the network', async () => {
    const { docker, gone, asked } = engine({ containers: [{ Id: 'c' }], networks: [{ Id: 'n' }] })
    await removeRun(docker, 'run-1')
    assert.deepEqual(gone, ['c', 'n'])
    const [[name, value]] = Object.entries(makeRunLabels('run-1'))
    assert.deepEqual(asked, [{ label: [`${name}=${value}`] }, { label: [`${name}=${value}`] }])
  })

  test('stays where the engine is gone, which is said with what clears it', async () => {
    const docker = /** @type {any} */ ({
      listContainers: async () => {
        throw Object.assign(new Error('connect ECONNREFUSED /x.sock'), { code: 'ECONNREFUSED' })
      }
    })
    await assert.rejects(removeRun(docker, 'run-1'), {
      code: 'LEFT_BEHIND',
      message:
        'the Docker engine no longer responds: connection lost (ECONNREFUSED); what the run made there, run-1, is cleared by the next run that uses it'
    })
  })

  test('is cleared by the next run as soon as its process is gone, whatever it does and however young it is', {
    skip: process.platform !== 'linux' && 'the kernel does not tell'
  }, async () => {
    const own = makeRunLabels('a')
    const [run, mark] = Object.keys(own)
    const gone = { ...own, [mark]: own[mark].replace(/\d+$/, '1') }
    const elsewhere = { ...gone, [mark]: gone[mark].replace('pid:[', 'pid:[9') }
    const of = (/** @type {string} */ Id, /** @type {any} */ Labels) => ({
      Id,
      Labels,
      State: 'running',
      Created: OLD_S
    })
    const { docker, gone: removed } = engine({
      containers: [of('own', own), of('gone', gone), of('elsewhere', elsewhere), of('older', { [run]: 'a' })],
      networks: [
        { Id: 'n', Labels: gone, Created: YOUNG },
        { Id: 'm', Labels: own, Created: YOUNG }
      ]
    })
    await removeLeftovers(docker, NOW_MS)
    assert.deepEqual(removed, ['gone', 'n'])
  })

  test('may have been removed by somebody else meanwhile', async () => {
    const has = { containers: [{ Id: 'c' }], networks: [{ Id: 'n' }], stuck: { c: 409, n: 404 } }
    await removeRun(engine(has).docker, 'run-1')
  })

  test('that cannot be removed is an error', async () => {
    const { docker } = engine({ containers: [{ Id: 'c' }], stuck: { c: 500 } })
    await assert.rejects(removeRun(docker, 'run-1'), /refused/)
  })
})

test('what other runs left is removed once it is old and nothing runs in it', async () => {
  const { docker, gone } = engine({
    containers: [
      { Id: 'exited', State: 'exited', Created: OLD_S },
      { Id: 'created', State: 'created', Created: OLD_S },
      { Id: 'running', State: 'running', Created: OLD_S },
      { Id: 'paused', State: 'paused', Created: OLD_S },
      { Id: 'starting', State: 'created', Created: NOW_MS / 1000 - 5 }
    ],
    networks: [
      { Id: 'unused', Created: OLD },
      { Id: 'in use', Created: OLD },
      { Id: 'new', Created: YOUNG }
    ],
    stuck: { 'in use': 403 }
  })
  await removeLeftovers(docker, NOW_MS)
  assert.deepEqual(gone, ['exited', 'created', 'unused'])
})

test('what others left and cannot be removed for another reason is an error', async () => {
  for (const stuck of [{ n: 500 }, /** @type {any} */ ({ n: undefined })]) {
    const { docker } = engine({ networks: [{ Id: 'n', Created: OLD }], stuck })
    await assert.rejects(removeLeftovers(docker, NOW_MS), /refused/)
  }
})
