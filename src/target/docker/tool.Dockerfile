# This tool itself: `docker run IMAGE agent --bus …` is an agent. What is in it is chosen by `node index.js image --tool`, which builds
# this. Nothing here needs a shell, so that any image with Node will do as a base.
ARG NODE_IMAGE=node:22-slim
FROM ${NODE_IMAGE}

# where this project is among the files: "." for a clone of it
ARG APP=.
COPY . /app
WORKDIR /app/${APP}

# any user may write results, and what is gone afterwards
RUN ["node", "-e", "for (const folder of ['results', '/tmp']) { fs.mkdirSync(folder, { recursive: true }); fs.chmodSync(folder, 0o1777) }"]

ENV NODE_ENV=production \
    HOME=/tmp
USER 65532:65532
ENTRYPOINT ["node", "index.js"]
