// Imported before anything else: where too few files may be open, nothing else can be.

const ENOUGH = 1024
const SYMPTOMS = new Set(['EMFILE', 'ERR_MODULE_NOT_FOUND'])

/** @returns {number} files that this process may have open at once; Infinity: not known, or any number */
function openFilesAllowed() {
  const { userLimits } = /** @type {any} */ (process.report.getReport())
  return Number(userLimits?.open_files?.soft ?? Infinity) || Infinity
}

/**
 * loadFiles imports modules, and ends the process with one line when that fails because too few files may be open at once: Node
 * then says that a package is missing, or nothing but EMFILE.
 *
 * @template T
 * @param {() => Promise<T>} load
 * @returns {Promise<T>}
 */
export async function loadFiles(load) {
  try {
    return await load()
  } catch (error) {
    const allowed = SYMPTOMS.has(/** @type {NodeJS.ErrnoException} */ (error).code ?? '')
      ? openFilesAllowed()
      : Infinity
    if (allowed >= ENOUGH) throw error
    process.stderr.write(`only ${allowed} files may be open at once: allow more, with ulimit -n ${ENOUGH}\n`)
    process.exit(1)
  }
}
