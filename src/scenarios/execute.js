/**
 * @typedef {object} Run
 * @property {() => void} begin
 * @property {(error: Error) => void} fail - notes why it ends early
 * @property {() => Promise<unknown>} teardown - ends all that was started
 * @property {() => void} end - gives out the result
 */

/**
 * execute takes a run through its phases, and ends it whatever happens in them.
 *
 * @template {Run} T
 * @param {T} run
 * @param {(run: T) => Promise<unknown>} phases
 */
export async function execute(run, phases) {
  run.begin()
  try {
    await phases(run)
  } catch (error) {
    run.fail(/** @type {Error} */ (error))
  }
  await run.teardown()
  run.end()
}
