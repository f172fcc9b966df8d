// Writes what is generated in README.md and docs: the lists of figures, warnings and options in the pages of these names, and the tables
// between <!-- figures: … --> and <!-- /figures -->, from committed results. Tests check that all are up to date.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadAllScenarios } from '../src/scenarios/index.js'
import { withFigures } from './parts/doc-figures.js'
import { withFigureList } from './parts/figure-list.js'
import { withOptionList } from './parts/option-list.js'
import { withWarningList } from './parts/warning-list.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DOCS = readdirSync(join(ROOT, 'docs')).filter(name => name.endsWith('.md'))

const scenarios = await loadAllScenarios()

/** What fills the lists of a document. @type {Readonly<Record<string, (text: string) => string | Promise<string>>>} */
const LISTS = {
  'figures.md': text => withFigureList(text, scenarios),
  'options.md': withOptionList,
  'warnings.md': withWarningList
}

for (const name of ['README.md', ...DOCS.map(name => join('docs', name))]) {
  const text = withFigures(readFileSync(join(ROOT, name), 'utf8'), join(ROOT, 'results'))
  const fill = LISTS[basename(name)]
  writeFileSync(join(ROOT, name), fill === undefined ? text : await fill(text))
}
