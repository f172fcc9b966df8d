// Imported before anything else: where too few files may be open, nothing else can be.

const ENOUGH = 1024
const SYMPTOMS = new Set(['EMFILE', 'ERR_MODULE_NOT_FOUND'])

/** What was found: a report of the process takes milliseconds, and each plan of a network asks. @type {number | undefined} */
let allowedHere

/** openFilesAllowed is how many files this process may have open at once. @returns {number} Infinity: not known, or any number */
export function openFilesAllowed() {
  if (allowedHere === undefined) {
    const { userLimits } = /** @type {any} */ (process.report.getReport())
    allowedHere = Number(userLimits?.open_files?.soft ?? Infinity) || Infinity
  }
  return allowedHere
}

/**
 * tooFewFiles says in a line that an error came about because too few files may be open at once: Node says that a package is missing
 * then, or nothing but EMFILE.
 *
 * @param {unknown} error
 * @returns {string | null} null: it did not
 */
export function tooFewFiles(error) {
  if (!SYMPTOMS.has(/** @type {NodeJS.ErrnoException} */ (error)?.code ?? '')) return null
  const allowed = openFilesAllowed()
  return allowed >= ENOUGH
    ? null
    : `only ${allowed} files may be open at once: allow more, with ulimit -n ${ENOUGH}\n`
}

/**
 * loadFiles imports modules, and ends the process with one line when too few files may be open at once for that.
 *
 * @template T
 * @param {() => Promise<T>} load
 * @returns {Promise<T>}
 */
export async function loadFiles(load) {
  try {
    return await load()
  } catch (error) {
    const text = tooFewFiles(error)
    if (text === null) throw error
    process.stderr.write(text)
    process.exit(1)
  }
}
