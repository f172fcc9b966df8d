import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/**
 * @typedef {object} Copy
 * @property {string} root - of the program
 * @property {string} tmp - for what its tests leave behind
 * @property {string} digest - of all its files: two copies of the same code have the same
 * @property {() => void} remove
 */

/**
 * copyOfCheckout copies what git knows or would add, so that tests can run on other code than that of the checkout.
 *
 * @param {string} checkout
 * @returns {Copy}
 */
export function copyOfCheckout(checkout) {
  const folder = mkdtempSync(join(tmpdir(), 'loadtest-copy-'))
  // some tests have programs run as a user without rights
  chmodSync(folder, 0o755)
  const [root, tmp] = ['program', 'tmp'].map(name => join(folder, name))
  const digest = createHash('sha256')
  mkdirSync(tmp)
  chmodSync(tmp, 0o1777)
  for (const file of filesOf(checkout)) {
    cpSync(join(checkout, file), join(root, file))
    digest.update(`${file}\0`).update(readFileSync(join(root, file)))
  }
  symlinkSync(resolve(checkout, 'node_modules'), join(root, 'node_modules'))
  return {
    root,
    tmp,
    digest: digest.digest('hex'),
    // processes of a test that was cut off may still be at their last words
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
}

/** @param {string} checkout */
function filesOf(checkout) {
  const known = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', known, { cwd: checkout, encoding: 'utf8', maxBuffer: 1e8 }).split('\0')
  // one that was deleted is known until that is committed
  return files.filter(file => file !== '' && existsSync(join(checkout, file)))
}
