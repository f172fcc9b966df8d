// Imported first by every process: adds Promise.withResolvers on Node 20. Offers the check of the Node version, error
// texts for too few open files, and the program's name.
const MIN_NODE = { major: 20, minor: 19 }

/**
 * findRuntimeProblem says in a line that the program does not run on what it was started with.
 *
 * @param {Readonly<Record<string, string | undefined>>} versions - as in `process.versions`
 * @returns {string | null} null: it does
 */
export function findRuntimeProblem(versions) {
  const other = ['bun', 'deno'].find(name => versions[name] !== undefined)
  const [major, minor] = String(versions.node).split('.').map(Number)
  const isNewEnough = major > MIN_NODE.major || (major === MIN_NODE.major && minor >= MIN_NODE.minor)
  if (other === undefined && isNewEnough) return null
  const name =
    other === undefined ? `Node ${versions.node}` : `${other === 'bun' ? 'Bun' : 'Deno'} ${versions[other]}`
  return `libp2p-loadtest needs Node ${MIN_NODE.major}.${MIN_NODE.minor} or newer, this is ${name}`
}

// libp2p 3 calls Promise.withResolvers, which Node 20 lacks: without it every dial fails with a misleading
// ECONNRESET. Import this before anything of libp2p.
if (Promise.withResolvers === undefined)
  Promise.withResolvers = function withResolvers() {
    /** @type {any} */
    const deferred = {}
    deferred.promise = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }))
    return deferred
  }

// Imported before anything else: where too few files may be open, nothing else can be.

const ENOUGH = 1024
const SYMPTOMS = new Set(['EMFILE', 'ERR_MODULE_NOT_FOUND'])

/** What was found: a report of the process takes milliseconds, and each plan of a network asks. @type {number | undefined} */
let allowedHere

/** readOpenFilesLimit is how many files this process may have open at once. @returns {number} Infinity: not known, or any number */
export function readOpenFilesLimit() {
  if (allowedHere === undefined) {
    const { userLimits } = /** @type {any} */ (process.report.getReport())
    allowedHere = Number(userLimits?.open_files?.soft ?? Infinity) || Infinity
  }
  return allowedHere
}

/**
 * describeOpenFilesError says in a line that an error came about because too few files may be open at once: Node says that a package is missing
 * then, or nothing but EMFILE.
 *
 * @param {unknown} error
 * @returns {string | null} null: it did not
 */
export function describeOpenFilesError(error) {
  if (!SYMPTOMS.has(/** @type {NodeJS.ErrnoException} */ (error)?.code ?? '')) return null
  const allowed = readOpenFilesLimit()
  return allowed >= ENOUGH
    ? null
    : `only ${allowed} files may be open at once: allow more, with ulimit -n ${ENOUGH}\n`
}

/**
 * loadModules imports modules, and ends the process with one line when too few files may be open at once for that.
 *
 * @template T
 * @param {() => Promise<T>} load
 * @returns {Promise<T>}
 */
export async function loadModules(load) {
  try {
    return await load()
  } catch (error) {
    const text = describeOpenFilesError(error)
    if (text === null) throw error
    process.stderr.write(text)
    process.exit(1)
  }
}

/** INSTALLED_NAME is what the program is called where npm has installed it. */
export const INSTALLED_NAME = 'libp2p-loadtest'

const IN_A_PROJECT = new RegExp(`[\\\\/]node_modules[\\\\/]${INSTALLED_NAME}[\\\\/][^\\\\/]+$`)

/**
 * findProgramName says how to start the program again.
 *
 * @param {string} script - path it was started by
 * @param {string | undefined} npmCommand - of the npm that started it, if one did
 * @returns {string} what stands before its command and options
 */
export function findProgramName(script, npmCommand) {
  // on Windows what npm makes names the script itself
  const isInstalled = script.split(/[\\/]/).pop() === INSTALLED_NAME || IN_A_PROJECT.test(script)
  if (!isInstalled) return 'node index.js'
  return npmCommand === 'exec' ? `npx ${INSTALLED_NAME}` : INSTALLED_NAME
}

/** PROGRAM is how the program is called in texts: as it was started. */
export const PROGRAM = findProgramName(process.argv[1] ?? '', process.env.npm_command)

/**
 * rememberSuccess makes a trial of what this machine can do once where it went well: it starts processes, and each plan of a network asks for it.
 * What is lacking may come meanwhile, and is tried anew.
 *
 * @param {() => string | null} trial - says what is lacking; null: nothing
 * @param {() => string | undefined} where - what it depends on, such as where commands are looked for
 * @returns {() => string | null}
 */
export function rememberSuccess(trial, where) {
  /** @type {Set<string | undefined>} */
  const went = new Set()
  return () => {
    const place = where()
    if (went.has(place)) return null
    const lack = trial()
    if (lack === null) went.add(place)
    return lack
  }
}
