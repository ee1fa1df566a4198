#pragma once

#include "cli/import_command.h"

namespace CLI {
class App;
}

namespace waybill::cli {

// Adds `postgres` to the command `import`.
const CLI::App* add_postgres_import(CLI::App& import, PostgresImportOptions& options);

}  // namespace waybill::cli
