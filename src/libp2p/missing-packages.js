import { stackNamed } from './stacks.js'

/** INSTALL_COMMAND installs the packages of all stacks. */
const INSTALL_COMMAND = 'npm install --include=optional'

/** @param {string} name */
function isInstalled(name) {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}

/**
 * missingPackages tells which packages of a stack are not installed: all but the default one's are optional.
 *
 * @param {string} name - of the stack
 * @param {(name: string) => boolean} [installed] - whether a package is
 * @returns {string[]}
 */
export function missingPackages(name, installed = isInstalled) {
  const { packages, gossipPackages } = stackNamed(name)
  return [...packages, ...gossipPackages].filter(each => !installed(each))
}

/**
 * notInstalled says that a stack cannot be used, and what to do.
 *
 * @param {string} name - of the stack
 * @param {(name: string) => boolean} [installed] - whether a package is
 * @returns {string | null} null: its packages are there
 */
export function notInstalled(name, installed) {
  const missing = missingPackages(name, installed)
  if (missing.length === 0) return null
  return `${name} needs packages that are not installed (${missing.join(', ')}): run ${INSTALL_COMMAND}`
}
