// Writes what is generated in README.md and docs: the list of all figures in docs/metrics.md, from src/scenarios/*/figures.js, and the tables
// between <!-- figures: … --> and <!-- /figures -->, from committed results. Tests hold that both are up to date.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadAllScenarios } from '../src/scenarios/index.js'
import { withFigures } from './parts/doc-figures.js'
import { withFigureList } from './parts/figure-list.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DOCS = readdirSync(join(ROOT, 'docs')).filter(name => name.endsWith('.md'))

for (const name of ['README.md', ...DOCS.map(name => join('docs', name))]) {
  const text = readFileSync(join(ROOT, name), 'utf8')
  const filled = withFigures(text, join(ROOT, 'results'))
  writeFileSync(
    join(ROOT, name),
    name === join('docs', 'metrics.md') ? withFigureList(filled, await loadAllScenarios()) : filled
  )
}
