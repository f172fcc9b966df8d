import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { parse } from 'acorn'
import { runtimeProblem } from '../../src/kit/runtime.js'

/** @param {string} path - from the project's folder */
const read = path => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')

describe('what the program was started with', () => {
  /** @type {[Record<string, string>, string | null][]} */
  const cases = [
    [{ node: '20.19.0' }, null],
    [{ node: '22.0.0' }, null],
    [{ node: '20.18.3' }, 'libp2p-loadtest needs Node 20.19 or newer, this is Node 20.18.3'],
    [{ node: '18.19.0' }, 'libp2p-loadtest needs Node 20.19 or newer, this is Node 18.19.0'],
    [{ node: '22.6.0', bun: '1.2.0' }, 'libp2p-loadtest needs Node 20.19 or newer, this is Bun 1.2.0'],
    [{ node: '22.6.0', deno: '2.1.0' }, 'libp2p-loadtest needs Node 20.19 or newer, this is Deno 2.1.0']
  ]
  for (const [versions, problem] of cases)
    test(`${JSON.stringify(versions)} is ${problem === null ? 'enough' : 'refused in a line'}`, () =>
      assert.equal(runtimeProblem(versions), problem))

  test('is held to the version that the package names', async () => {
    const { engines } = JSON.parse(await read('package.json'))
    assert.ok(runtimeProblem({ node: '0.1' })?.includes(`Node ${engines.node.replace('>=', '')} or newer`))
  })

  test('is asked before anything is read that an older Node does not understand', async () => {
    for (const [path, sources] of /** @type {const} */ ([
      ['index.js', ['./src/kit/runtime.js']],
      ['src/kit/runtime.js', []]
    ])) {
      const { body } = parse(await read(path), {
        ecmaVersion: 2020,
        sourceType: 'module',
        allowHashBang: true
      })
      const imported = body.flatMap(node => ('source' in node && node.source ? [node.source.value] : []))
      assert.deepEqual(imported, sources, path)
    }
  })
})
