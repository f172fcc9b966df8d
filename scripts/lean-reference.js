// Makes results that are to be committed small, without taking a figure away: node scripts/lean-reference.js
import { fileURLToPath } from 'node:url'
import { leanResults } from './parts/lean-result.js'

leanResults(fileURLToPath(new URL('../results/reference', import.meta.url)))
