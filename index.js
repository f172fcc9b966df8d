#!/usr/bin/env node
import './src/node-shim.js'
import { loadFiles } from './src/open-files.js'

const { main } = await loadFiles(() => import('./src/cli/index.js'))
process.exitCode = await main(process.argv.slice(2))
