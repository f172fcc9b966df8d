// Writes the list of all figures into docs/metrics.md, from their rows in src/scenarios/*/figures.js. A test holds that it is up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { allScenarios } from '../src/scenarios/index.js'
import { withFigureList } from './parts/figure-list.js'

const FILE = new URL('../docs/metrics.md', import.meta.url)

writeFileSync(FILE, withFigureList(readFileSync(FILE, 'utf8'), await allScenarios()))
