import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { INDEX, newFolder, TIMEOUT } from './loadtest.js'
import { ON_LINUX } from './processes.js'

const COLUMNS = 80

const TO_FIRST_COLUMN = '\u001b[1G'

/** A command at a terminal of 80 columns, as script(1) makes one. @param {readonly string[]} args @param {string} cwd @returns {Promise<string>} */
function atTerminal(args, cwd) {
  const command = [process.execPath, INDEX, ...args].join(' ')
  return new Promise((resolve, reject) => {
    execFile(
      'script',
      ['-qec', `stty cols ${COLUMNS} rows 24 && ${command}`, '/dev/null'],
      { cwd },
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

describe('a run at a terminal of 80 columns', ON_LINUX, () => {
  test('fits: progress, a block for each operation, three notes at most', TIMEOUT, async () => {
    const load = [
      '--rate',
      '50/s',
      '--duration',
      '3s',
      '--benchmarkType',
      'MIXED',
      '--nClients',
      '4',
      '--warmup',
      '50ms'
    ]
    const text = await atTerminal([...load, '--server', 'process', '--outputDir', 'r'], await newFolder())
    assert.deepEqual(
      // an address is one word, and stays one that can be copied
      everyLine(text).filter(line => [...line].length > COLUMNS && !/^ +\/ip4\/\S+$/.test(line)),
      []
    )
    const lines = linesOf(text)
    assert.doesNotMatch(text, /^\| Operation/m)
    for (const type of ['REGISTER', 'DISCOVER', 'UNREGISTER'])
      assert.ok(
        lines.some(line => line.startsWith(`${type} `)),
        text
      )
    assert.ok(
      lines.some(line => /^ {2}p50 [\d.]+/.test(line)),
      text
    )
    const more = lines.findIndex(line => /^\d+ more in r\/\S+\/report\.md$/.test(line))
    assert.ok(more > 0, text)
    assert.ok(lines.some(line => /^repeat: \S.* rerun r\//.test(line)))
  })
})
