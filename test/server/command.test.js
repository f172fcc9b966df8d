import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runServerCommand } from '../../src/server/process/command.js'

/**
 * What the command says when it is run with flags.
 *
 * @param {import('node:test').TestContext} t
 * @param {string[]} flags
 */
async function called(t, flags) {
  const { argv } = process
  process.argv = [argv[0], 'main.js', ...flags]
  const out = t.mock.method(process.stdout, 'write', () => true)
  const err = t.mock.method(process.stderr, 'write', () => true)
  const ending = runServerCommand()
  process.argv = argv
  out.mock.restore()
  const code = await ending
  err.mock.restore()
  const said = (/** @type {typeof out} */ { mock }) =>
    mock.calls.map(({ arguments: [text] }) => String(text)).join('')
  return { code, stdout: said(out), stderr: said(/** @type {any} */ (err)) }
}

describe('the command of a server', () => {
  test('shows its options when it is asked for help', async t => {
    const { code, stdout, stderr } = await called(t, ['--help'])
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /--listen/)
  })

  test('names what is wrong with its flags, one or several', async t => {
    const one = await called(t, ['--httpPort', 'x'])
    assert.equal(one.code, 2)
    assert.match(one.stderr, /^1 problem:\n {2}--httpPort x {2}must be/)
    const two = await called(t, ['--httpPort', 'x', '--maxStreams', 'y'])
    assert.match(two.stderr, /^2 problems:\n.*\n.*--limits maxStreams y/)
    assert.equal(two.code, 2)
  })

  test('says in a line why it cannot start, where that is known', async t => {
    const listen = ['--listen', '/ip4/127.0.0.1/tcp/0']
    const { code, stderr } = await called(t, [
      ...listen,
      '--keyFile',
      '/proc/nowhere/key',
      '--logLevel',
      'silent'
    ])
    assert.equal(code, 1)
    assert.match(stderr, /^the server failed: [^\n]*\/proc\/nowhere\/key[^\n]*\n$/)
  })
})
