import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { call, INDEX, newFolder, startProgram, TIMEOUT } from './loadtest.js'
import { ON_LINUX } from './processes.js'

/** @typedef {[string, RegExp][]} Problems - how each is named, and what is allowed */

/** Flags, and what is wrong with them. Every problem has a row in test/plan/gossip. @type {[string[], Problems][]} */
const REFUSED = [
  [
    ['--nodes', '1', '--rate', 'fast', '--messageBytes', '4', '--topics', 'foo', '--node', '5', '--D', '3'],
    [
      ['--nodes 1 ', /must be a whole number from 2 to 60,000/],
      ['--rate fast ', /must be a rate .* such as 500, 500\/s or 30000\/min/],
      ['--messageBytes 4 ', /must be a size from 8 to 4193280 bytes/],
      ['--topics foo ', /such as foo=0\.7,bar=0\.4/],
      ['--node 5 ', /is no option; did you mean --nodes\?/],
      ['--D 3 ', /must be at least D_low, which is 4 by default/]
    ]
  ],
  [['--topology', 'file:nowhere.txt'], [['--topology file:nowhere.txt ', /cannot be read \(ENOENT\)/]]],
  [
    ['--nodes', '5', '--topology', 'barabasi-albert:m=6'],
    [['--topology barabasi-albert:m=6 ', /with 5 nodes needs m to be a whole number from 1 to 4/]]
  ],
  [['--outputFile', 'no/such/table.md'], [['--outputFile no/such/table.md ', /there is no folder/]]],
  [['stray'], [['stray ', /is neither a command nor the value of an option/]]]
]

const FILES = {
  'load.yaml': 'messageBytes: { min: 10 }\nsneeze: 1\n',
  'broken.graphml': '<graphml><graph><edge source="a"/></graph></graphml>'
}

/** @type {Problems} */
const OF_FILES = [
  ['--topology file:broken.graphml ', /is no topology: /],
  ['load.yaml: messageBytes {"min":10} ', /must be a size/],
  ['load.yaml: sneeze 1 ', /is no option/],
  ['--publishers every ', /needs --duration/]
]

/** @param {import('./program.js').Ended} ended @param {Problems} problems */
function assertRefused({ code, stdout, stderr }, problems) {
  assert.deepEqual([code, stdout], [2, ''], stderr)
  const [head, ...lines] = stderr.trimEnd().split('\n')
  assert.equal(head, problems.length === 1 ? '1 problem:' : `${problems.length} problems:`)
  assert.equal(lines.at(-1), 'See node index.js gossip --help')
  for (const [given, allowed] of problems) {
    const line = lines.find(each => each.startsWith(`  ${given}`))
    assert.ok(line, `${given} in\n${stderr}`)
    assert.match(line, allowed)
  }
}

describe('bad flags of gossip: exit code 2, each named with its value and what is allowed', () => {
  for (const [args, problems] of REFUSED)
    test(args.join(' '), TIMEOUT, async () => assertRefused(await call(['gossip', ...args]), problems))

  test('those of files too; nothing is started, nothing written', { ...TIMEOUT, ...ON_LINUX }, async () => {
    const cwd = await newFolder()
    for (const [name, text] of Object.entries(FILES)) await writeFile(join(cwd, name), text)
    const flags = ['--topology', 'file:broken.graphml', '--config', 'load.yaml', '--publishers', 'every']
    const program = startProgram(INDEX, ['gossip', ...flags], { cwd })
    assertRefused(await program.ended, OF_FILES)
    assert.deepEqual(await program.leftAfter(0), [])
    assert.deepEqual(await readdir(cwd), Object.keys(FILES).sort())
  })
})
