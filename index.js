#!/usr/bin/env node
import { findRuntimeProblem } from './src/kit/runtime.js'

const problem = findRuntimeProblem(process.versions)
if (problem === null) {
  // as Node ends where what is waited for never comes
  process.exitCode = 13
  import('./src/cli/index.js')
    .then(({ main }) => main(process.argv.slice(2)))
    .then(exitCode => {
      process.exitCode = exitCode
    })
} else {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 2
}
