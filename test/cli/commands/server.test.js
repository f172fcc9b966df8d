import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, test } from 'node:test'
import { main } from '../../../src/cli/index.js'
import { makeEnvironmentName, SERVER_OPTIONS } from '../../../src/server/options.js'
import { DockerError } from '../../../src/target/docker-engine.js'
import { collector } from '../../report/sample-result.js'

/**
 * @param {string[]} argv
 * @param {Record<string, string>} [env]
 * @param {() => void} [onServe]
 */
async function run(argv, env = {}, onServe = () => {}) {
  const [stdout, stderr] = [collector(), collector()]
  /** @type {any} */
  let served = null
  const loadServe = async () => async (/** @type {unknown} */ options, /** @type {any} */ output) => {
    served = options
    onServe()
    output.write('ready\n')
  }
  const surroundings = /** @type {any} */ ({ stdout, stderr, env, version: '0.1.0', loadServe })
  const exitCode = await main(argv, surroundings)
  return { exitCode, stdout: stdout.text(), stderr: stderr.text(), served }
}

describe('server', () => {
  test('serves with its flags in camelCase or kebab-case, and ends with 0', async () => {
    const { exitCode, stdout, served } = await run(
      'server --httpPort 0 --max-peer-registrations=7'.split(' ')
    )
    assert.deepEqual([exitCode, stdout], [0, 'ready\n'])
    assert.deepEqual([served.httpPort, served.maxPeerRegistrations], [0, 7])
  })

  test('takes addresses given several times', async () => {
    const [a, b] = ['/ip4/127.0.0.1/tcp/0', '/ip6/::1/tcp/0']
    assert.deepEqual((await run(['server', '--listen', a, '--listen', b])).served.listen, [a, b])
  })

  test('takes environment variables, and flags before them', async () => {
    const env = { [makeEnvironmentName('httpPort')]: '1', [makeEnvironmentName('maxStreams')]: '5' }
    const { served } = await run(['server', '--httpPort', '0'], env)
    assert.deepEqual([served.httpPort, served.maxStreams], [0, 5])
  })

  test('that fails to start ends with 1 and its reason', async () => {
    const { exitCode, stderr } = await run(['server'], {}, () => {
      throw new Error('port 8000 is in use')
    })
    assert.deepEqual([exitCode, stderr], [1, 'error: port 8000 is in use\n'])
  })

  test('--help all names every option and limit, and says how environment variables are called', async () => {
    const { exitCode, stdout } = await run(['server', '--help', 'all'])
    assert.equal(exitCode, 0)
    for (const [name, { family, unlisted }] of Object.entries(SERVER_OPTIONS))
      assert.equal(stdout.includes(family === undefined ? `--${name} ` : `${name}:`), !unlisted, name)
    for (const name of ['httpPort', 'maxTtl']) assert.ok(stdout.includes(makeEnvironmentName(name)), name)
  })
})

/** @typedef {import('../../../src/target/images.js').ServerImage} ServerImage */

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
async function runImage(argv, build = async () => ({ image: IMAGE, built: true })) {
  const [stdout, stderr, process] = [collector(), collector(), new EventEmitter()]
  /** @type {any[]} */
  const calls = []
  const loadDocker = async () => ({
    reachEngine: async () => 'engine',
    TOOL_PROGRAM: 'this tool',
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
    const { exitCode, calls, stdout, stderr } = await runImage([], async ({ onProgress }) => {
      onProgress({ done: 1, total: 2, unit: 'steps', text: 'COPY . /app' })
      return { image: IMAGE, built: true }
    })
    assert.equal(exitCode, 0)
    assert.deepEqual(calls, [{ nodeImage: null, force: false }])
    assert.equal(stderr, '  1 / 2  COPY . /app\n')
    assert.equal(stdout, 'libp2p-loadtest-server:0123456789ab: built\nNode 22.1.0, on node:22-slim\n')
  })

  test('leaves one alone that is up to date', async () => {
    const { stdout } = await runImage([], async () => ({ image: IMAGE, built: false }))
    assert.match(stdout, /: up to date; --force builds it again\n/)
  })

  test('takes its base, a further name, and no excuse', async () => {
    const { calls, stdout } = await runImage('--node-image node:24-slim --tag me/server:2 --force'.split(' '))
    assert.deepEqual(calls, [{ nodeImage: 'node:24-slim', force: true }, { tag: 'me/server:2' }])
    assert.match(stdout, /^libp2p-loadtest-server:0123456789ab and me\/server:2: built\n/)
  })

  test('builds that of the tool where it is asked for', async () => {
    const { exitCode, calls } = await runImage(['--tool', '--tag', 'loadtest'])
    assert.equal(exitCode, 0)
    assert.deepEqual(calls, [{ nodeImage: null, force: false, program: 'this tool' }, { tag: 'loadtest' }])
  })

  test('that cannot be built ends with 1 and the reason', async () => {
    const { exitCode, stderr } = await runImage([], async () => {
      throw new DockerError('BASE_IMAGE_NOT_PULLED', 'the base image could not be pulled')
    })
    assert.deepEqual([exitCode, stderr], [1, 'error: the base image could not be pulled\n'])
  })

  test('broken off with Ctrl-C ends with 130', async () => {
    const { exitCode, stderr } = await runImage([], async ({ signal }, process) => {
      process.emit('SIGINT', 'SIGINT')
      throw signal.reason
    })
    assert.deepEqual([exitCode, stderr], [130, 'stopping\n'])
  })
})
