import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, test } from 'node:test'
import { main } from '../../src/cli/index.js'
import { DockerError } from '../../src/target/docker-engine.js'
import { collector } from '../report/sample-result.js'

/** @typedef {import('../../src/target/images.js').ServerImage} ServerImage */

const IMAGE = {
  name: 'libp2p-loadtest-server:0123456789ab',
  id: 'sha256:1',
  base: 'node:22-slim',
  node: '22.1.0'
}

/**
 * @param {string[]} argv
 * @param {(options: any, process: EventEmitter) => Promise<{ image: ServerImage, built: boolean }>} [build]
 */
async function run(argv, build = async () => ({ image: IMAGE, built: true })) {
  const [stdout, stderr, process] = [collector(), collector(), new EventEmitter()]
  /** @type {any[]} */
  const calls = []
  const loadDocker = async () => ({
    reachEngine: async () => 'engine',
    TOOL: 'this tool',
    buildServerImage: (
      /** @type {any} */ _engine,
      /** @type {any} */ { program, nodeImage, force, ...rest }
    ) => {
      calls.push({ nodeImage, force, ...(program && { program }) })
      return build(rest, process)
    },
    tagImage: async (/** @type {any} */ _engine, /** @type {any} */ _image, /** @type {string} */ name) =>
      void calls.push({ tag: name })
  })
  const surroundings = /** @type {any} */ ({ stdout, stderr, process, env: {}, version: '0.1.0', loadDocker })
  const exitCode = await main(['image', ...argv], surroundings)
  return { exitCode, calls, stdout: stdout.text(), stderr: stderr.text() }
}

describe('image', () => {
  test('builds the image, with progress, and says what it is', async () => {
    const { exitCode, calls, stdout, stderr } = await run([], async ({ onProgress }) => {
      onProgress({ done: 1, total: 2, unit: 'steps', text: 'COPY . /app' })
      return { image: IMAGE, built: true }
    })
    assert.equal(exitCode, 0)
    assert.deepEqual(calls, [{ nodeImage: null, force: false }])
    assert.equal(stderr, '  1 / 2  COPY . /app\n')
    assert.equal(stdout, 'libp2p-loadtest-server:0123456789ab: built\nNode 22.1.0, on node:22-slim\n')
  })

  test('leaves one alone that is up to date', async () => {
    const { stdout } = await run([], async () => ({ image: IMAGE, built: false }))
    assert.match(stdout, /: up to date; --force builds it again\n/)
  })

  test('takes its base, a further name, and no excuse', async () => {
    const { calls, stdout } = await run(['--node-image', 'node:24-slim', '--tag', 'me/server:2', '--force'])
    assert.deepEqual(calls, [{ nodeImage: 'node:24-slim', force: true }, { tag: 'me/server:2' }])
    assert.match(stdout, /^libp2p-loadtest-server:0123456789ab and me\/server:2: built\n/)
  })

  test('builds that of the tool where it is asked for', async () => {
    const { exitCode, calls } = await run(['--tool', '--tag', 'loadtest'])
    assert.equal(exitCode, 0)
    assert.deepEqual(calls, [{ nodeImage: null, force: false, program: 'this tool' }, { tag: 'loadtest' }])
  })

  test('that cannot be built ends with 1 and the reason', async () => {
    const { exitCode, stderr } = await run([], async () => {
      throw new DockerError('BASE_IMAGE_NOT_PULLED', 'the base image could not be pulled')
    })
    assert.deepEqual([exitCode, stderr], [1, 'error: the base image could not be pulled\n'])
  })

  test('broken off with Ctrl-C ends with 130', async () => {
    const { exitCode, stderr } = await run([], async ({ signal }, process) => {
      process.emit('SIGINT', 'SIGINT')
      throw signal.reason
    })
    assert.deepEqual([exitCode, stderr], [130, 'stopping\n'])
  })
})
