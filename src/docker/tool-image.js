import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { imageContext, installed, PROJECT } from './image-context.js'
import { packageFolder } from './installed-packages.js'

/** DOCKERFILE of this tool, from the project's folder. */
export const DOCKERFILE = 'src/docker/tool.Dockerfile'

/** Of the project's folder. Scenarios and processes are found by their paths, which no import leads to: all of it. */
const FOLDERS = ['src', 'benchmarks']

/** TOOL is this tool as a program that runs in containers. @type {import('./server-image.js').Program} */
export const TOOL = Object.freeze({
  repository: 'libp2p-loadtest-tool',
  what: "the tool's image",
  context: toolContext
})

/**
 * toolContext collects what this tool needs to run, as npm would install it: its code and matrices, packages it needs, and those it can
 * do without that are here.
 *
 * @returns {Promise<import('./image-context.js').ImageContext>}
 */
async function toolContext() {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(PROJECT, 'package.json'), 'utf8')
  )
  const needed = Object.keys(dependencies).map(name => installed(name, PROJECT))
  const more = Object.keys(optionalDependencies)
    .map(name => packageFolder(name, PROJECT))
    .filter(folder => folder !== null)
  const files = [join(PROJECT, 'index.js'), ...FOLDERS.flatMap(filesIn)]
  return imageContext({ dockerfile: DOCKERFILE, files, packages: [...needed, ...more] })
}

/** @param {string} folder - of the project */
const filesIn = folder =>
  readdirSync(join(PROJECT, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
