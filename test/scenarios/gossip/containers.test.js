import assert from 'node:assert/strict'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { CONTAINER_RULES } from '../../../src/scenarios/gossip/options.js'
import { findSizeProblem } from '../../../src/scenarios/network-options.js'
import { findDockerProblem } from '../../../src/target/docker-processes.js'
import { makePlanOf } from '../../scenarios.js'

const DOCKER = Object.freeze({ network: 'docker', nodes: '10', linkLatency: '0' })
const SKIP = { skip: findDockerProblem() ?? false }

describe('a network of containers', SKIP, () => {
  test('has one for each node, or for so many of them, with limits by node in the plan', () => {
    const { plan } = makePlanOf('gossip', {
      ...DOCKER,
      ...{ nodesPerContainer: '4', nodeCpus: '0.2', nodeMemory: '128MiB' }
    })
    const { workers, nodesPerContainer, nodeCpus, nodeMemoryBytes } = /** @type {any} */ (plan)
    assert.deepEqual([workers, nodesPerContainer, nodeCpus, nodeMemoryBytes], [3, 4, 0.2, 128 * 2 ** 20])
    assert.equal(/** @type {any} */ (makePlanOf('gossip', DOCKER).plan).workers, 10)
  })

  /** @type {[Record<string, string>, string, RegExp][]} */
  const refused = [
    [{ workers: '5' }, '--workers', /^does not apply with --network docker: --nodesPerContainer sets/],
    [
      { nodesPerContainer: '2', linkLatency: '5ms' },
      '--nodesPerContainer',
      /^must be 1 with --linkLatency: nodes that share a container bypass every impairment$/
    ],
    [{ topology: 'rendezvous:k=3' }, '--topology', /--network docker: the server is outside/],
    [{ nodeMemory: '10mb' }, '--nodeMemory', /96/],
    [{ nodeCpus: '0.01' }, '--nodeCpus', /^must be a number of cores from 0\.05/]
  ]
  for (const [options, flag, allowed] of refused)
    test(`${JSON.stringify(options)} is refused`, () => {
      const [problem, ...more] = makePlanOf('gossip', { ...DOCKER, ...options }).problems ?? []
      assert.equal(problem?.flag, flag)
      assert.match(problem.allowed, allowed)
      assert.deepEqual(more, [])
    })
})

describe('more containers than the machine has memory for are refused, with how many fit', () => {
  const machine = { cores: 2, memoryBytes: 3e9, openFiles: 20_000 }
  const asked = { network: 'docker', nodes: 40, topology: { kind: 'ring' } }

  test('a node in each', () =>
    assert.match(
      String(findSizeProblem(asked, machine)),
      /^must be at most about 17 in containers, .*2\.8 GiB/
    ))

  test('those that share one take less', () =>
    assert.equal(findSizeProblem({ ...asked, nodesPerContainer: 4 }, machine), null))
})

test('without an engine one line says what is missing, how to get it and what to run instead', t => {
  const { DOCKER_HOST } = process.env
  t.after(() => {
    if (DOCKER_HOST === undefined) delete process.env.DOCKER_HOST
    else process.env.DOCKER_HOST = DOCKER_HOST
  })
  process.env.DOCKER_HOST = 'unix:///nowhere/docker.sock'
  const lacks = String(findDockerProblem())
  assert.match(
    lacks,
    /^needs a Docker engine of this machine, and no Docker engine answers \(it is not running\): install and start one .*; or use --network namespaces/
  )
  assert.doesNotMatch(lacks, /\n/)
  const problems = makePlanOf('gossip', DOCKER).problems ?? []
  const actual = problems.map(({ flag, allowed }) => [flag, allowed])
  assert.deepEqual(actual, [['--network', lacks]])
})

test('who is not root is refused impairments by name, and told what has them without', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'loadtest-commands-'))
  const { PATH } = process.env
  t.after(async () => {
    process.env.PATH = PATH
    await rm(folder, { recursive: true })
  })
  await symlink('/bin/sh', join(folder, 'sh'))
  const unshare = '#!/bin/sh\necho "unshare: unshare failed: Operation not permitted" >&2; exit 1\n'
  await writeFile(join(folder, 'unshare'), unshare, { mode: 0o755 })
  process.env.PATH = folder
  const refusals = CONTAINER_RULES.filter(({ flag }) => flag === 'network').map(({ refuse }) =>
    refuse({ network: 'docker', linkLatency: { kind: 'constant', ms: 0 }, linkLoss: 0.01 }, new Map())
  )
  assert.match(
    String(refusals.at(-1)),
    /^with --linkLoss has no router that could do it here \(unshare: .* not permitted\): run it as root, for only root can; or use --linkLatency 0 .* or --network namespaces/
  )
})
