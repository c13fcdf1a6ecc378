# For compose.yaml: a demo without a compiler. Nothing of it is published.
# Of the pinned n8n; to try another: PLAYGROUND_N8N_IMAGE=n8nio/n8n:latest docker compose up --build
ARG PLAYGROUND_N8N_IMAGE=n8nio/n8n:2.41.1

FROM node:24.21.0-bookworm-slim AS project
WORKDIR /project
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .

FROM project AS packed
RUN npm run build && npm pack --pack-destination /tmp
# Where n8n looks for the community packages that it has installed.
WORKDIR /nodes/node_modules/n8n-nodes-business-messaging
RUN tar -xzf /tmp/n8n-nodes-business-messaging-*.tgz --strip-components=1

FROM node:24.21.0-bookworm-slim AS api
WORKDIR /project
COPY playground/api/package.json playground/api/package-lock.json playground/api/.npmrc playground/api/
RUN npm ci --ignore-scripts --prefix playground/api
COPY package.json ./
COPY examples examples
COPY playground playground
USER node
EXPOSE 4010
CMD ["node", "playground/api/main.mts", "--container"]

FROM ${PLAYGROUND_N8N_IMAGE} AS n8n
COPY --from=packed --chown=node:node /nodes /home/node/.n8n/nodes
