// preloaded into an agent and its workers: one that is sent a signal is busy with nothing for 5 s
process.on('SIGUSR2', () => {
  const until = performance.now() + 5000
  while (performance.now() < until);
})
