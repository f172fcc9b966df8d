import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { figureList, listStaleNotes, withFigureList } from '../../scripts/parts/figure-list.js'
import { withOptionList } from '../../scripts/parts/option-list.js'
import { WARNING_NOTES, withWarningList } from '../../scripts/parts/warning-list.js'
import { WARNING_CODES } from '../../src/report/warnings.js'
import { ALL } from '../scenarios.js'

/** @param {string} name */
const read = name => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')

describe('the list of figures in docs/figures.md', () => {
  test('is that of their rows: npm run docs renews it', () =>
    assert.equal(withFigureList(read('figures.md'), ALL), read('figures.md')))

  test('has no note of a figure that is gone', () => assert.deepEqual(listStaleNotes(ALL), []))

  test('needs a note for a figure that is added to a scenario', () => {
    const [{ figures }] = ALL
    const added = { ...figures[0], name: 'foo', title: 'Foo' }
    assert.throws(
      () => figureList([{ ...ALL[0], figures: [...figures, added] }]),
      /figure foo of rendezvous has no note/
    )
  })

  test('says of a figure its unit, its meaning, and whether it takes thresholds', () => {
    const [{ figures, compared }] = ALL
    const cpu = figures.filter(({ name }) => name === 'cpu')
    const list = figureList([{ name: 'rendezvous', figures: cpu, compared }])
    assert.match(list, /^\| `cpu` +\| µs +\| Server CPU/m)
    assert.match(list, /^No threshold: `cpu`\. Comparisons decide on: /m)
  })
})

describe('the list of warnings in docs/warnings.md', () => {
  test('is that of their codes: npm run docs renews it', () =>
    assert.equal(withWarningList(read('warnings.md')), read('warnings.md')))

  test('has no note of a warning that is gone', () =>
    assert.deepEqual(
      Object.keys(WARNING_NOTES).filter(code => !WARNING_CODES.includes(code)),
      []
    ))

  test('has every code once', () => {
    for (const code of WARNING_CODES) assert.equal(read('warnings.md').split(`\`${code}\``).length, 2, code)
  })
})

describe('the list of options in docs/options.md', () => {
  test('is that of the commands: npm run docs renews it', async () =>
    assert.equal(await withOptionList(read('options.md')), read('options.md')))

  test('has options once, and again where a command takes other values by name', () => {
    const lines = read('options.md').split('\n')
    assert.equal(lines.filter(line => line.startsWith('- `--nClients`')).length, 1)
    assert.deepEqual(
      lines.filter(line => line.startsWith('- `--limits`')).map(line => line.split('[')[1].split(/[,\]]/)[0]),
      ['maxPeerRegistrations', 'maxMemoryPerPeer', 'minTtl', 'maxClients']
    )
  })
})
