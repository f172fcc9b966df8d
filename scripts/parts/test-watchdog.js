// Loaded into each process of tests: one that does not end, because something that a test started goes on, is ended, and fails. The runner
// of the tests ends tests that take too long, but waits for their process.

/** Twenty times what the longest takes on a quiet machine. */
const MAX_MS = 65 * 60_000

const END = 1

// neither the runner of the tests nor a worker that a test forks with the options of its own process
if (/\.test\.m?js$/.test(process.argv[1] ?? '')) {
  setTimeout(() => {
    const open = [...new Set(process.getActiveResourcesInfo())].join(', ')
    console.error(`${process.argv[1]} does not end: after ${MAX_MS / 60_000} min there is still ${open}`)
    process.exit(END)
  }, MAX_MS).unref()
}
