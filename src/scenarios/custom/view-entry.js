import '../../node-shim.js'
import { readFileSync, writeSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import { drawer } from '../../kit/plots/drawer.js'
import { loadRenderer } from '../../kit/plots/render.js'
import { endWithParent } from '../../workers/parent-watch.js'
import { loadModule } from './module.js'
import { told } from './own-view.js'

endWithParent()

/** @type {{ path: string, steps: import('./own-view.js').Step[] }} */
const { path, steps } = deserialize(readFileSync(0))

async function answer() {
  /** @type {any} */
  let owner
  /** @type {any} */
  let value = (await loadModule(path)).view
  for (const step of steps) {
    const next = typeof step === 'object' ? await value.apply(owner, given(step.args)) : value[step]
    owner = value
    value = next
  }
  return value
}

/** A section of a page is handed what draws. @param {any[]} args */
const given = ([result, tools, ...more]) =>
  steps.at(-2) === 'body' ? [result, { ...tools, draw: drawer(loadRenderer) }] : [result, tools, ...more]

/** @type {import('./own-view.js').Answer} */
const said = await answer().then(
  value => ({ value: told(value) }),
  error => ({ error: String(error?.message ?? error) })
)
let left = serialize(said)
while (left.length > 0) left = left.subarray(writeSync(3, left))
process.exit()
