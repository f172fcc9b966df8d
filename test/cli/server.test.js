import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { main } from '../../src/cli/index.js'
import { environmentName, SERVER_OPTIONS } from '../../src/server/options.js'
import { collector } from '../report/sample-result.js'

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
    const { exitCode, stdout, served } = await run([
      'server',
      '--httpPort',
      '0',
      '--max-peer-registrations=7'
    ])
    assert.deepEqual([exitCode, stdout], [0, 'ready\n'])
    assert.deepEqual([served.httpPort, served.maxPeerRegistrations], [0, 7])
  })

  test('takes addresses given several times', async () => {
    const [a, b] = ['/ip4/127.0.0.1/tcp/0', '/ip6/::1/tcp/0']
    assert.deepEqual((await run(['server', '--listen', a, '--listen', b])).served.listen, [a, b])
  })

  test('takes environment variables, and flags before them', async () => {
    const env = { [environmentName('httpPort')]: '1', [environmentName('maxStreams')]: '5' }
    const { served } = await run(['server', '--httpPort', '0'], env)
    assert.deepEqual([served.httpPort, served.maxStreams], [0, 5])
  })

  test('that fails to start ends with 1 and its reason', async () => {
    const { exitCode, stderr } = await run(['server'], {}, () => {
      throw new Error('port 8000 is in use')
    })
    assert.deepEqual([exitCode, stderr], [1, 'error: port 8000 is in use\n'])
  })

  test('--help names every option with its environment variable', async () => {
    const { exitCode, stdout } = await run(['server', '--help'])
    assert.equal(exitCode, 0)
    for (const name of Object.keys(SERVER_OPTIONS)) {
      assert.ok(stdout.includes(`--${name} `), name)
      assert.ok(stdout.includes(environmentName(name)), name)
    }
  })
})
