module.exports = require("./lazyModule.cjs")(() => require("typescript/lib/typescript.js"));
