// Does the package work for those who install it? `npm run test:package` packs it, and on Node 20, 22 and 24 installs it into an
// empty folder, where npm must warn of nothing; there the command runs, the programs of docs/extending.md run as they are written, and
// TypeScript 5.9 and 7 take them under --strict.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packagesOf, programsIn } from './examples.js'
import { serveRegistry } from './registry.js'

/** The document whose programs are run. */
const DOCUMENT = 'docs/extending.md'
const ROOT = resolve(fileURLToPath(new URL('../..', import.meta.url)))
const NODES = Object.freeze(['20', '22', '24'])
const COMPILERS = Object.freeze(['5.9', '7'])
const STRICT = Object.freeze([
  '--strict',
  '--noEmit',
  '--module',
  'nodenext',
  '--target',
  'es2024',
  '--types',
  'node'
])

/** What is wrong with the settings of whoever runs this is not ours. */
const OF_THE_USER = /Unknown (user|env|project|global|builtin) config/

/**
 * @param {readonly string[]} command
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} where
 * @returns {Promise<string>} what it wrote, to either stream
 * @throws where it fails
 */
async function done([program, ...args], { cwd, env = {} }) {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', chunk => {
      text += chunk
    })
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  if (code === 0) return text
  throw new Error(`${[program, ...args].join(' ')} ended with ${code}:\n${text}`)
}

/** @param {string} line @param {readonly string[]} command @returns {string[]} the command on that line of Node */
const onNode = (line, command) =>
  process.versions.node.startsWith(`${line}.`)
    ? [...command]
    : ['npx', '--yes', '--package', `node@${line}`, '--', ...command]

/** Lines of Node that can be had here; what is not looked at is named. @returns {Promise<string[]>} */
async function nodesHere() {
  /** @type {string[]} */
  const found = []
  for (const line of NODES)
    try {
      await done(onNode(line, ['node', '--version']), { cwd: tmpdir() })
      found.push(line)
    } catch (error) {
      const [, why = 'npx does not give it'] =
        /npm error (.*)/.exec(/** @type {Error} */ (error).message) ?? []
      console.log(`SKIPPED: the package on Node ${line}, which is not to be had here: ${why}`)
    }
  return found
}

/** @param {string} folder @param {string} name */
function emptyFolder(folder, name) {
  const path = join(folder, name)
  mkdirSync(path)
  writeFileSync(join(path, 'package.json'), '{ "private": true, "type": "module" }\n')
  return path
}

/** @param {string} text - of npm */
const warningsIn = text =>
  text.split('\n').filter(line => /\b(warn|deprecated)\b/i.test(line) && !OF_THE_USER.test(line))

/** @param {string} line - of Node @param {{ folder: string, registry: string, name: string, programs: string[] }} about */
async function checkOn(line, { folder, registry, name, programs }) {
  const cwd = emptyFolder(folder, `node-${line}`)
  const run = (/** @type {string[]} */ ...command) => done(onNode(line, command), { cwd })
  const installed = await run('npm', 'install', '--registry', registry, name)
  const warnings = warningsIn(installed)
  if (warnings.length > 0) throw new Error(`Node ${line}: npm warns:\n${warnings.join('\n')}`)
  console.log(`Node ${line}: installed without a warning`)
  const called = join('node_modules', '.bin', name)
  const list = await run('node', called, 'matrix', 'smoke', '--list')
  if (!list.includes('smoke/')) throw new Error(`matrix smoke --list has no row:\n${list}`)
  const ran = await run('node', called, '-n', '50', '--warmup', '0', '--server', 'process')
  if (!ran.includes(`${name} rerun `)) throw new Error(`a run does not say how it is repeated:\n${ran}`)
  console.log(`Node ${line}: the command runs`)
  const others = packagesOf(programs).filter(each => each !== name)
  await run('npm', 'install', '--registry', registry, ...others)
  for (const [place, program] of programs.entries()) {
    writeFileSync(join(cwd, `example-${place + 1}.js`), program)
    await run('node', `example-${place + 1}.js`)
  }
  console.log(`Node ${line}: ${programs.length} programs of ${DOCUMENT} run as they are written`)
  return cwd
}

/**
 * Every declaration of the package is looked at, and of what the programs of the document have beside it.
 *
 * @param {string} version - of TypeScript
 * @param {string} cwd - where the package is installed
 * @param {{ folder: string, name: string, programs: string[] }} about
 */
async function checkTypes(version, cwd, { folder, name, programs }) {
  const compiler = emptyFolder(folder, `typescript-${version}`)
  await done(['npm', 'install', '--no-audit', '--no-fund', `typescript@${version}`], { cwd: compiler })
  const tsc = join(compiler, 'node_modules', 'typescript', 'bin', 'tsc')
  const files = programs.map((program, place) => {
    const file = `example-${place + 1}.ts`
    writeFileSync(join(cwd, file), program)
    return file
  })
  writeFileSync(join(cwd, 'all.ts'), `export * from '${name}'\n`)
  await done(['node', tsc, ...STRICT, 'all.ts', ...files], { cwd })
  console.log(`TypeScript ${version}: --strict takes all declarations and ${files.length} programs`)
}

const folder = mkdtempSync(join(tmpdir(), 'loadtest-package-'))
try {
  const given = process.argv[2]
  if (given === undefined) await done(['npm', 'pack', '--pack-destination', folder], { cwd: ROOT })
  const tarball = given ?? join(folder, readdirSync(folder).find(file => file.endsWith('.tgz')) ?? '')
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const upstream =
    (await done(['npm', 'config', 'get', 'registry'], { cwd: folder })).trim().split('\n').at(-1) ?? ''
  const registry = await serveRegistry({ tarball, manifest, upstream: upstream.replace(/\/?$/, '/') })
  try {
    const programs = programsIn(readFileSync(join(ROOT, DOCUMENT), 'utf8'))
    if (programs.length === 0) throw new Error(`${DOCUMENT} has no program`)
    const about = { folder, programs, registry: registry.url, name: manifest.name }
    /** @type {string[]} */
    const places = []
    for (const line of await nodesHere()) places.push(await checkOn(line, about))
    await done(
      [
        'npm',
        'install',
        '--registry',
        registry.url,
        '--no-audit',
        '--no-fund',
        '--save-dev',
        '@types/node@20'
      ],
      { cwd: places[0] }
    )
    for (const version of COMPILERS) await checkTypes(version, places[0], about)
  } finally {
    registry.close()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
