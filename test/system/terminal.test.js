import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { INDEX, newFolder, THREES, TIMEOUT } from '../acceptance/loadtest.js'
import { ON_LINUX } from '../acceptance/processes.js'
import { until } from '../until.js'

const COLUMNS = 80

/** BSD's script(1) takes no command as an option, and not every machine has one. */
const WITH_TERMINAL =
  spawnSync('script', ['-qec', 'true', '/dev/null'], { stdio: 'ignore' }).status === 0
    ? ON_LINUX
    : { skip: 'no script(1) makes a terminal here' }

/** A terminal that shows colours. */
const { NO_COLOR: _, ...env } = process.env
const COLOURED = { ...env, TERM: 'xterm' }

/** Of the moving line, of its check mark, of a warning. */
const COLOURS = ['\u001b[36m', '\u001b[32m', '\u001b[33m']

const TO_FIRST_COLUMN = '\u001b[1G'

/**
 * A command at a terminal, as script(1) makes one.
 *
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {{ columns?: number, then?: number | null, env?: NodeJS.ProcessEnv }} [terminal] - `then`: columns that it has after a second
 * @returns {Promise<string>}
 */
function atTerminal(args, cwd, { columns = COLUMNS, then = null, env = {} } = {}) {
  const command = [process.execPath, INDEX, ...args].join(' ')
  const resize = then === null ? '' : `{ sleep 1; stty cols ${then} </dev/tty; } &`
  return new Promise((resolve, reject) => {
    execFile(
      'script',
      ['-qec', `stty cols ${columns} rows 24 && ${resize} ${command}`, '/dev/null'],
      { cwd, timeout: 120_000, killSignal: 'SIGKILL', env: { ...COLOURED, ...env } },
      (error, stdout) => (error === null ? resolve(stdout) : reject(error))
    )
  })
}

/** What stands on the screen of each line once it is whole: a carriage return begins it anew. @param {string} text */
const linesOf = text =>
  stripVTControlCharacters(text.replaceAll(TO_FIRST_COLUMN, '\r'))
    .split('\n')
    .map(line => line.replace(/\r$/, '').split('\r').at(-1) ?? '')

/** What was on the screen at any time: a line that moves is drawn again from its first column on. @param {string} text */
const everyLine = text => stripVTControlCharacters(text.replaceAll(TO_FIRST_COLUMN, '\r')).split(/[\r\n]+/)

describe('a run at a terminal of 80 columns', WITH_TERMINAL, () => {
  test('fits: progress, a row for each operation, three warnings at most', TIMEOUT, async () => {
    const load = '--rate 50/s --duration 3s --benchmarkType MIXED --nClients 4 --warmup 50ms'.split(' ')
    const text = await atTerminal([...load, '--server', 'process', '--outputDir', 'r'], await newFolder())
    assert.deepEqual(
      // an address is one word, and stays one that can be copied
      everyLine(text).filter(line => [...line].length > COLUMNS && !/^ +\/ip4\/\S+$/.test(line)),
      []
    )
    assert.ok(COLOURS.slice(0, 2).every(colour => text.includes(colour)))
    const lines = linesOf(text)
    const ended = lines.slice(lines.findIndex(line => line.startsWith('✔ server stopped')) + 1)
    // three operations, and up to eight lines that say how they are to be read
    assert.ok(ended.length <= 29, ended.join('\n'))
    for (const row of [
      /^ {2}Type +Ops +Median RT /,
      /^ {2}REGISTER +\d/,
      /^ {2}DISCOVER +\d/,
      /^ {2}UNREGISTER +\d/
    ])
      assert.equal(ended.filter(line => row.test(line)).length, 1, text)
    assert.ok(ended.filter(line => line.startsWith('⚠ ')).length <= 3)
    assert.ok(ended.some(line => /^repeat: \S.* rerun r\//.test(line)))
  })
})

describe('a command at a terminal of 80 columns', WITH_TERMINAL, () => {
  const stored = resolve('fixtures/results-0.1.0')
  for (const args of [
    ['list', stored],
    ['compare', join(stored, 'ab')],
    ['matrix', 'smoke', '--dryRun'],
    ['gossip', '--nodes', '1', '--topology', 'nonsense', '--dryRun'],
    ['gossip', '--help', 'all']
  ])
    test(`${args[0]} ${args.at(-1)} fits`, TIMEOUT, async () => {
      const text = await atTerminal([...args, '||', 'true'], await newFolder())
      assert.deepEqual(
        everyLine(text).filter(line => [...line].length > COLUMNS),
        []
      )
      assert.doesNotMatch(text, /\[object |\bundefined\b|\bNaN\b/)
    })

  test('has colours, and with NO_COLOR none', TIMEOUT, async () => {
    const [coloured, plain] = await Promise.all(
      [{}, { NO_COLOR: '1' }].map(async env => atTerminal(['list', stored], await newFolder(), { env }))
    )
    assert.notEqual(coloured, stripVTControlCharacters(coloured))
    assert.equal(plain, stripVTControlCharacters(coloured))
  })
})

describe('a run at a terminal', { ...THREES, ...WITH_TERMINAL }, () => {
  const load = ['--rate', '20/s', '--duration', '2s', '--nClients', '2', '--warmup', '50ms']
  for (const [columns, then] of [
    [0, 20],
    [1, 500],
    [500, 0]
  ])
    test(`of ${columns} columns, later ${then}, ends, and says how it went`, TIMEOUT, async () => {
      const args = [...load, '--server', 'process', '--outputDir', 'r']
      const drawn = await atTerminal(args, await newFolder(), { columns, then, env: { NO_COLOR: '1' } })
      assert.ok(COLOURS.every(colour => !drawn.includes(colour)))
      const text = stripVTControlCharacters(drawn)
      assert.match(text.replaceAll(/\s+/g, ' '), /✔ measured [\d.]+ s/)
      assert.ok(text.length < 200_000, `${text.length} characters`)
    })
})

test('a terminal that goes away in the middle of a run leaves its partial result', {
  ...TIMEOUT,
  ...WITH_TERMINAL
}, async () => {
  const cwd = await newFolder()
  const load = ['--rate', '20/s', '--duration', '60s', '--nClients', '2', '--warmup', '50ms']
  const command = [process.execPath, INDEX, ...load, '--server', 'process', '--outputDir', 'r'].join(' ')
  const terminal = spawn('script', ['-qec', `exec ${command}`, '/dev/null'], { cwd })
  let text = ''
  terminal.stdout.setEncoding('utf8').on('data', more => {
    text += more
  })
  await until(() => text.includes('measuring'))
  terminal.kill('SIGKILL')
  const folder = join(cwd, 'r')
  const resultOf = async () => {
    const [run] = await readdir(folder)
    return JSON.parse(await readFile(join(folder, run, 'result.json'), 'utf8'))
  }
  await until(async () => (await resultOf()).run.finishedAt !== null, { everyMs: 100 })
  const { status, reason } = await resultOf()
  assert.deepEqual([status, reason.code], ['partial', 'INTERRUPTED'])
})
