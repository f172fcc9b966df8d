import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { COMMANDS } from '../../src/cli/commands.js'
import { EXIT, formatError } from '../../src/cli/exit.js'
import { main } from '../../src/cli/index.js'
import { findProgramName } from '../../src/kit/runtime.js'
import { foldFamilies } from '../../src/plan/options.js'
import { RENDEZVOUS_OPTIONS } from '../../src/scenarios/rendezvous/options.js'
import { collector } from '../report/sample-result.js'
import { makePlan } from '../scenarios.js'

/** @param {string[]} argv */
async function printed(argv) {
  const [stdout, stderr] = [collector(), collector()]
  const surroundings = /** @type {any} */ ({ stdout, stderr, version: '1.2.3' })
  assert.equal(await main(argv, surroundings), 0)
  assert.equal(stderr.text(), '')
  return stdout.text()
}

describe('--help', () => {
  test('has every option in its group, with its default', async () => {
    const text = await printed(['--help', 'all'])
    let group = ''
    /** @type {Record<string, string>} */
    const groups = {}
    for (const line of text.split('\n')) {
      if (/^\S.*:$/.test(line)) group = line
      const name = /^ {2}(?:-\w, | {4})--(\w+) /.exec(line)?.[1]
      if (name !== undefined) groups[name] = group
    }
    for (const [name, option] of Object.entries(foldFamilies(RENDEZVOUS_OPTIONS))) {
      assert.equal(groups[name], option.group, name)
      if (option.default !== undefined) assert.ok(text.includes(`[default: ${option.default}]`), name)
    }
  })

  test('shows what people use, says how many more options there are, and names a letter where there is one', async () => {
    const text = await printed(['rendezvous', '-h'])
    assert.match(text, / -c, --nClients /)
    assert.doesNotMatch(text, /--maxInFlight/)
    const [, left] = /--help all shows (\d+) more options/.exec(text) ?? []
    const shown = text.match(/^(?: {2}-\w, | {6})--(?!help|version)/gm) ?? []
    assert.ok(shown.length >= 10 && shown.length <= 15, `${shown.length} options`)
    assert.equal(
      shown.length + Number(left),
      (await printed(['rendezvous', '--help', 'all'])).match(/^(?: {2}-\w, | {6})--(?!help|version)/gm)
        ?.length
    )
  })

  test('of the program itself lists the commands in their groups, and shows examples first', async () => {
    const text = await printed(['--help'])
    assert.match(text, /^node index\.js \[command\] \[options\]\n\nLoads:\n {2}rendezvous {2}/)
    assert.match(text, /\nStudies:\n {2}matrix .*\nExamples:\n {2}node index\.js /s)
    assert.doesNotMatch(text, /--nClients/)
  })

  test('is shown, and nothing begins, where its value stands behind an equals sign', async () => {
    assert.equal(await printed(['gossip', '--help=all']), await printed(['gossip', '--help', 'all']))
  })

  test('has examples that can be run', async () => {
    const text = await printed(['--help', 'all'])
    const lines = text.split('\n').filter(line => line.startsWith('  node index.js '))
    assert.ok(lines.length >= 5)
    for (const line of lines) {
      const words = line
        .replace(/ {3}# .*/, '')
        .replace('12D3KooW…', '12D3KooWGjMCwDWeCzgZ1tAFuUbBLRqHgtdVMZxqYsD9GPXMzSzd')
        .trim()
        .split(' ')
        .slice(2)
      if (words.some(word => !word.startsWith('--')) && !words[0]?.startsWith('--')) continue // another command
      const flags = words.join(' ').matchAll(/--(\w+)(?: (?:"([^"]+)"|(?!--)(\S+)))?/g)
      const options = Object.fromEntries(
        [...flags].map(([, name, quoted, word]) => [name, quoted ?? word ?? true])
      )
      assert.equal(makePlan(options).problems, undefined, line)
    }
  })

  for (const [command, ...words] of [[], ...COMMANDS.map(({ name }) => [name])])
    test(`of ${command ?? 'the program'} is two screens of 80 columns at most`, async () => {
      const text = await printed([command, ...words, '--help'].flatMap(word => word ?? []))
      const lines = text.trimEnd().split('\n')
      assert.ok(lines.length <= 48, `${lines.length} lines`)
      assert.deepEqual(
        lines.filter(line => line.length > 80),
        []
      )
    })

  test('has different options of a number that can be read', async () => {
    const helps = await Promise.all(COMMANDS.map(async ({ load }) => (await load([])).help.options))
    const names = new Set(helps.flatMap(options => Object.keys(foldFamilies(options))))
    assert.ok(names.size <= 170, `${names.size} options`)
  })

  test('fits a terminal of 80 columns', async () => {
    const stdout = Object.assign(collector(), { columns: 80 })
    await main(['--help', 'all'], /** @type {any} */ ({ stdout, stderr: collector(), version: '1' }))
    const [, options] = stdout.text().split('\nWhat is sent:')
    assert.ok(options.split('\n').every(line => line.length <= 80))
  })
})

test('--version names the tool and its version', async () => {
  for (const flag of ['--version', '-v']) assert.equal(await printed([flag]), 'libp2p-loadtest 1.2.3\n')
})

test('each exit code means one thing', () => {
  assert.deepEqual(EXIT, { DONE: 0, FAILED: 1, USAGE: 2, NOT_MET: 3, GENERATOR_LIMITED: 4, INTERRUPTED: 130 })
})

test('an error is its message and those of its causes; with DEBUG set, their stacks', () => {
  const error = new TypeError('outer', { cause: new Error('inner') })
  assert.equal(formatError(error, {}), 'error: outer: inner\n')
  assert.equal(formatError('text', {}), 'error: text\n')
  const stacks = formatError(error, { DEBUG: '1' })
  assert.match(stacks, /^error: TypeError: outer\n {4}at .*\ncaused by Error: inner\n {4}at /s)
})

test('the program calls itself by the name it was started with', () => {
  assert.equal(findProgramName('/here/index.js', undefined), 'node index.js')
  assert.equal(findProgramName('/usr/bin/libp2p-loadtest', undefined), 'libp2p-loadtest')
  assert.equal(findProgramName('/here/node_modules/.bin/libp2p-loadtest', 'exec'), 'npx libp2p-loadtest')
  assert.equal(findProgramName('/clone/libp2p-loadtest/index.js', undefined), 'node index.js')
  assert.equal(
    findProgramName('C:\\here\\node_modules\\libp2p-loadtest\\index.js', undefined),
    'libp2p-loadtest'
  )
})

describe('node index.js', () => {
  /** @param {string[]} argv @param {(child: import('node:child_process').ChildProcess) => void} [meddle] */
  async function runScript(argv, meddle = () => {}) {
    const child = spawn(process.execPath, ['index.js', ...argv], { stdio: 'pipe' })
    let stderr = ''
    child.stderr?.on('data', chunk => {
      stderr += chunk
    })
    meddle(child)
    const [code] = await once(child, 'close')
    return { code, stderr }
  }

  test('takes options from standard input, and refuses bad ones with exit code 2', async () => {
    const { code, stderr } = await runScript(['--config', '-'], child => child.stdin?.end('nClients: 0\n'))
    assert.equal(code, 2)
    assert.match(stderr, /standard input: nClients 0 {2}must be a whole number/)
  })

  test('does not mind a reader that goes away', async () => {
    const { code, stderr } = await runScript(['--help'], child => void child.stdout?.destroy())
    assert.deepEqual([code, stderr], [0, ''])
  })
})
