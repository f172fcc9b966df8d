import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { formatResult } from '../../src/report/result-folder.js'
import { sampleResult } from '../report/sample-result.js'
import { aGossipResult } from '../scenarios/gossip/a-gossip-result.js'
import { ALL } from '../scenarios.js'
import { temporaryFolder } from '../temporary-folder.js'
import { runCommand } from './run-command.js'

const KEPT = new URL('../../fixtures/results-0.1.0/', import.meta.url)

/** A result that is kept. @param {string} name */
const kept = async name => JSON.parse(await readFile(new URL(`${name}/result.json`, KEPT), 'utf8'))

/** A result of each scenario whose results can be compared. @type {Readonly<Record<string, () => any>>} */
const RESULTS = {
  rendezvous: () => sampleResult(),
  gossip: () => aGossipResult({ options: { nodes: 20 } }),
  perf: () => kept('perf'),
  transfer: () => kept('transfer')
}

// of profiles compare shows differences, and decides nothing
const COMPARABLE = ALL.flatMap(({ name, compared, differences }) =>
  compared === null || differences !== undefined ? [] : [{ name, compared }]
)

const base = temporaryFolder()
before(async () => {
  for (const { name } of COMPARABLE)
    for (const side of ['before', 'after']) {
      const folder = join(base, `${name}-${side}`)
      await mkdir(folder)
      await writeFile(join(folder, 'result.json'), formatResult({ ...(await RESULTS[name]()), id: side }))
    }
})

/** @param {string} name @param {string[]} rules @param {string[]} [more] */
const compare = (name, rules, more = ['--allowUndecided']) =>
  runCommand(
    [
      'compare',
      ...['before', 'after'].map(side => join(base, `${name}-${side}`)),
      ...rules.flatMap(rule => ['--fail-on', rule]),
      ...more
    ],
    { base, scenarioOf: () => assert.fail('nothing is run') }
  )

describe('rules of compare are about the figures of the scenario that was run', () => {
  for (const { name, compared } of COMPARABLE) {
    const figures = compared.figures.map(figure => figure.name)

    test(`each figure that ${name} is compared by can be named`, async () => {
      const { exitCode, stdout, stderr } = await compare(
        name,
        figures.map(figure => `${figure} > +10%`),
        []
      )
      assert.deepEqual([exitCode, stderr], [3, ''])
      for (const figure of figures) assert.ok(stdout.includes(`| ${figure} > +10%`), figure)
      assert.equal(stdout.match(/\| UNDECIDED \|/g)?.length, figures.length)
    })

    test(`another one is refused, and those of ${name} are listed, with a rule that holds there`, async () => {
      const { exitCode, stdout, stderr } = await compare(name, ['nothing > +10%', 'nowhere < -5%'])
      assert.deepEqual([exitCode, stdout], [2, ''])
      assert.match(stderr, /^2 problems:$/m)
      assert.match(stderr, /--fail-on +nothing > \+10% +must be a metric \(/)
      const [, listed] = /must be a metric \(([^)]*)\)/.exec(stderr) ?? []
      assert.deepEqual(listed.split(/, | or /), figures)
      const [, example] = /such as "([^"]*)"/.exec(stderr) ?? []
      assert.equal((await compare(name, [example])).exitCode, 0)
    })
  }
})
