#!/usr/bin/env node
import './src/node-shim.js'

const { main } = await import('./src/cli/index.js')
process.exitCode = await main(process.argv.slice(2))
