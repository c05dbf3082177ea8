module.exports = require("./lazyModule.cjs")(() => require("@npmcli/arborist/lib/index.js"));
