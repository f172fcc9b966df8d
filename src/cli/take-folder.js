/** @typedef {import('../plan/plan.js').Problem} Problem */

/**
 * takeFolder makes the folder of a run, or of many, and says what is wrong with --outputDir when it cannot.
 *
 * @template F
 * @param {string} outputDir
 * @param {() => Promise<F>} make
 * @param {string} [what] - it is called
 * @returns {Promise<F | { problem: Problem }>}
 */
export async function takeFolder(outputDir, make, what = 'the folder') {
  try {
    return await make()
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    return { problem: { flag: '--outputDir', value: outputDir, allowed: `cannot take ${what} (${code})` } }
  }
}
