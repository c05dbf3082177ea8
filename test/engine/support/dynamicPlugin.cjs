/**
 * Serves Pulumi's plugin for dynamic resources to one engine after another, from one process, to which
 * the engine attaches (PULUMI_DEBUG_PROVIDERS). Its start is a sixth of the time of an engine's run.
 * A line on its standard input names the project of the stack that it serves from then on, and the
 * environment; it answers with its port.
 *
 * Each engine gets the plugin's own code, and this package's, loaded anew, so that a run finds nothing
 * of the one before; only libraries and pure modules stay. It ends when its standard input does.
 *
 * Source: @pulumi/pulumi v3.230.0, cmd/dynamic-provider/index.js.
 */
const { join, sep } = require("node:path");
const { createInterface } = require("node:readline");
const grpc = require("@grpc/grpc-js");
const { ResourceProviderService } = require("@pulumi/pulumi/proto/provider_grpc_pb");
const { Empty } = require("google-protobuf/google/protobuf/empty_pb");

const plugin = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");
const own = join(__dirname, "../../../dist") + sep;
/** What of it is pure, and keeps nothing but schemas that it has compiled. */
const pure = /[\\/]provider[\\/](config|pki|api[\\/]protocol)\b/;
const MAX_MESSAGE_BYTES = 400 * 1024 * 1024;

// The plugin adds listeners each time that it is loaded.
process.setMaxListeners(0);

/** What the plugin would serve. */
function loadPlugin() {
  for (const file of Object.keys(require.cache)) {
    if (file === plugin || (file.startsWith(own) && !pure.test(file))) {
      delete require.cache[file];
    }
  }
  const { addService, bindAsync } = grpc.Server.prototype;
  let service;
  grpc.Server.prototype.addService = (_, implementation) => (service = implementation);
  grpc.Server.prototype.bindAsync = () => undefined;
  const { argv } = process;
  try {
    process.argv = [process.execPath, plugin, ""];
    require(plugin);
  } finally {
    Object.assign(grpc.Server.prototype, { addService, bindAsync });
    process.argv = argv;
  }
  return service;
}

const services = new Map();

function serviceFor(peer) {
  const service = services.get(peer) ?? loadPlugin();
  services.set(peer, service);
  return service;
}

const server = new grpc.Server({
  "grpc.max_receive_message_length": MAX_MESSAGE_BYTES,
  "grpc.max_send_message_length": MAX_MESSAGE_BYTES,
});
const handlers = Object.keys(ResourceProviderService).map((method) => [
  method,
  (call, answer) => {
    const service = serviceFor(call.getPeer());
    if (method in service) {
      service[method](call, answer);
    } else {
      answer({ code: grpc.status.UNIMPLEMENTED, details: method });
    }
  },
]);
server.addService(ResourceProviderService, {
  ...Object.fromEntries(handlers),
  attach: (call, answer) => {
    serviceFor(call.getPeer());
    // As the engine starts it: with its own address.
    process.argv = [process.execPath, plugin, call.request.getAddress()];
    answer(null, new Empty());
  },
});
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) {
    throw error;
  }
  createInterface({ input: process.stdin })
    .on("line", (line) => {
      const { project, environment } = JSON.parse(line);
      services.clear();
      process.chdir(project);
      Object.keys(process.env).forEach((name) => delete process.env[name]);
      Object.assign(process.env, environment);
      process.stdout.write(`${port}\n`);
    })
    .on("close", () => process.exit(0));
});
