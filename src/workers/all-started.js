/**
 * allStarted waits for processes that are being started together. Where one does not start, none stays.
 *
 * @template {{ stop(): Promise<void> }} P
 * @param {readonly Promise<P>[]} starting
 * @returns {Promise<P[]>} in the same order
 * @throws what kept the first one of them from starting, once the others have been stopped
 */
export async function allStarted(starting) {
  const settled = await Promise.allSettled(starting)
  const started = settled.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
  const failed = settled.find(result => result.status === 'rejected')
  if (failed === undefined) return started
  await Promise.all(started.map(process => process.stop()))
  throw failed.reason
}
