#include "api/jobs/openapi.h"

#include <map>

#include "api/jobs/operations.h"
#include "api/jobs/schema.h"

namespace waybill::api::jobs {
namespace {

constexpr std::string_view info =
    R"({"title":"Waybill jobs","version":"1","description":"Records of contracts, and the work on them."})";

constexpr std::string_view security_schemes =
    R"({"bearer":{"type":"http","scheme":"bearer","description":"ACCESS_KEY_ID:SECRET"},)"
    R"("sigv4":{"type":"apiKey","in":"header","name":"Authorization",)"
    R"("description":"AWS Signature Version 4, for the service waybill or execute-api"}})";

constexpr std::string_view parameters =
    R"({"IdempotencyKey":{"name":"Idempotency-Key","in":"header","schema":{"type":"string","minLength":1,)"
    R"("maxLength":255}},)"
    R"("IfMatch":{"name":"If-Match","in":"header","description":"An ETag: 412 where the record has another.",)"
    R"("schema":{"type":"string"}},)"
    R"("Actor":{"name":"Waybill-Actor","in":"header","description":"Who acts, for histories.",)"
    R"("schema":{"type":"string","maxLength":200}},)"
    R"("LastEventId":{"name":"Last-Event-ID","in":"header","schema":{"type":"string"}},)"
    R"("Limit":{"name":"limit","in":"query","schema":{"type":"integer","minimum":1,"maximum":1000,)"
    R"("default":100}},)"
    R"("Cursor":{"name":"cursor","in":"query","schema":{"$ref":"#/components/schemas/Cursor"}},)"
    R"("Order":{"name":"order","in":"query","schema":{"type":"string","enum":["newest","oldest"]}},)"
    R"("Index":{"name":"index","in":"query","schema":{"type":"string"}},)"
    R"("Tag":{"name":"tag","in":"query","schema":{"type":"array","items":{"type":"string"}}},)"
    R"("Match":{"name":"match","in":"query","schema":{"type":"string","enum":["any","all"],"default":"any"}},)"
    R"("Fields":{"name":"fields","in":"query","description":"Fields and their values.","explode":true,)"
    R"("schema":{"type":"object","additionalProperties":{"type":"string"}}},)"
    R"("Tenant":{"name":"tenant","in":"query","schema":{"type":"string"}},)"
    R"("Owner":{"name":"owner","in":"query","schema":{"type":"string"}}})";

constexpr std::string_view problem_response_text =
    R"({"description":"What stands against it.","content":{"application/problem+json":{"schema":)"
    R"({"$ref":"#/components/schemas/Problem"}}}})";

// Name and schema of what all contracts have in common.
constexpr std::pair<std::string_view, std::string_view> common_schemas[] = {
    {"Problem",
     R"({"type":"object","required":["type","title","status"],"properties":{"type":{"type":"string",)"
     R"("format":"uri"},"title":{"type":"string"},"status":{"type":"integer"},"detail":{"type":"string"},)"
     R"("rule":{"type":"string"},"field":{"type":"string"}}})"},
    {"Cursor", R"({"type":"string"})"},
    {"Why",
     R"({"type":"object","additionalProperties":false,"properties":{"why":{"type":"string","maxLength":4096}}})"},
    {"LeaseSeconds", R"({"type":"integer","minimum":1,"maximum":43200})"},
    {"Lease",
     R"({"type":"object","required":["token","fence","until"],"properties":{"token":{"type":"string"},)"
     R"("fence":{"type":"integer"},"until":{"type":"string","format":"date-time"}}})"},
    {"Happening",
     R"({"type":"object","required":["seq","at","action"],"properties":{"seq":{"type":"integer"},)"
     R"("at":{"type":"string","format":"date-time"},"actor":{"type":"string"},"action":{"type":"string"},)"
     R"("from":{"type":"string"},"to":{"type":"string"},"why":{"type":"string"},"rule":{"type":"string"},)"
     R"("event":{"type":"string"}}})"},
};

// `text` with CONTRACT.RECORD in the place of each "@".
std::string filled_in(std::string_view text, std::string_view name) {
  std::string made;
  for (const char c : text) {
    if (c == '@') {
      made.append(name);
    } else {
      made.push_back(c);
    }
  }
  return made;
}

struct Place {
  std::string contract;  // "" where it is about no records
  std::string record;

  std::string name() const { return contract + "." + record; }
};

std::string path_of(const Operation& operation, const Place& place) {
  std::string path;
  switch (operation.shape) {
    case Path::Shape::description:
      return "/v1/openapi.json";
    case Path::Shape::batch:
      return "/v1/batch";
    case Path::Shape::contracts:
      return "/v1/contracts";
    case Path::Shape::contract:
      return "/v1/contracts/{contract}";
    default:
      path = "/v1/" + place.contract + "/" + place.record;
  }
  path += operation.shape == Path::Shape::record ? "/{id}" : "";
  return path + (operation.verb.empty() ? "" : ":" + std::string(operation.verb));
}

std::string lower_case(std::string_view text) {
  std::string made(text);
  for (char& c : made) {
    c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  return made;
}

void write_parameters(json::Writer& writer, const Operation& operation) {
  writer.key("parameters").begin_array();
  if (operation.shape == Path::Shape::record || operation.shape == Path::Shape::contract) {
    const auto name = operation.shape == Path::Shape::record ? "id" : "contract";
    writer.begin_object().key("name").string(name).key("in").string("path").key("required").boolean(true);
    writer.key("schema").raw(R"({"type":"string"})").end_object();
  }
  if (operation.method != "GET") {
    writer.raw(R"({"$ref":"#/components/parameters/Actor"})");
  }
  if (!operation.description.parameters.empty()) {
    writer.raw(operation.description.parameters);
  }
  writer.end_array();
}

void write_content(json::Writer& writer, std::string_view type, std::string_view schema) {
  writer.key("content").begin_object().key(type).begin_object();
  writer.key("schema").raw(schema).end_object().end_object();
}

void write_answers(json::Writer& writer, const Description& description, const std::string& name) {
  writer.key("responses").begin_object();
  writer.key(description.status).begin_object().key("description").string("Done.");
  if (!description.response.empty()) {
    write_content(writer, description.response_type, filled_in(description.response, name));
  }
  writer.end_object();
  writer.key("default").raw(R"({"$ref":"#/components/responses/Problem"})").end_object();
}

void write_operation(json::Writer& writer, const Operation& operation, const Place& place) {
  const auto& description = operation.description;
  const auto name = place.name();
  writer.begin_object().key("operationId");
  writer.string(place.contract.empty() ? std::string(operation.name)
                                       : name + "." + std::string(operation.name));
  writer.key("summary").string(description.summary);
  if (!place.contract.empty()) {
    writer.key("tags").begin_array().string(place.contract).end_array();
  }
  write_parameters(writer, operation);
  if (!description.request.empty()) {
    writer.key("requestBody").begin_object();
    write_content(writer, "application/json", filled_in(description.request, name));
    writer.end_object();
  }
  write_answers(writer, description, name);
  writer.end_object();
}

// By path, then by method.
using Paths = std::map<std::string, std::map<std::string, std::string>>;

void add_operation(Paths& paths, const Operation& operation, const Place& place) {
  std::string text;
  json::Writer writer(text);
  write_operation(writer, operation, place);
  paths[path_of(operation, place)][lower_case(operation.method)] = std::move(text);
}

bool is_of_records(const Operation& operation) {
  return operation.shape == Path::Shape::records || operation.shape == Path::Shape::record;
}

Paths all_paths(const std::vector<rules::DeployedPtr>& contracts) {
  Paths paths;
  for (const Operation* const operation : operations()) {
    if (!is_of_records(*operation)) {
      add_operation(paths, *operation, {});
      continue;
    }
    for (const auto& deployed : contracts) {
      for (const auto& kind : deployed->kinds) {
        if (applies(*operation, *kind.record)) {
          add_operation(paths, *operation, {deployed->contract.name, kind.record->name});
        }
      }
    }
  }
  return paths;
}

void write_schemas(json::Writer& writer, const rules::Deployed& deployed) {
  constexpr std::pair<std::string_view, SchemaOf> forms[] = {{"", SchemaOf::record},
                                                             {".new", SchemaOf::created},
                                                             {".partial", SchemaOf::partial},
                                                             {".patch", SchemaOf::patch}};
  for (const auto& kind : deployed.kinds) {
    for (const auto& [ending, what] : forms) {
      writer.key(deployed.contract.name + "." + kind.record->name + std::string(ending));
      write_schema(writer, deployed, kind, what);
    }
  }
}

void write_components(json::Writer& writer, const std::vector<rules::DeployedPtr>& contracts) {
  writer.key("components").begin_object().key("securitySchemes").raw(security_schemes);
  writer.key("parameters").raw(parameters);
  writer.key("responses").begin_object().key("Problem").raw(problem_response_text).end_object();
  writer.key("schemas").begin_object();
  for (const auto& [name, schema] : common_schemas) {
    writer.key(name).raw(schema);
  }
  for (const auto& deployed : contracts) {
    write_schemas(writer, *deployed);
  }
  writer.end_object().end_object();
}

}  // namespace

std::string describe_api(const std::vector<rules::DeployedPtr>& contracts) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object().key("openapi").string("3.1.0").key("info").raw(info);
  writer.key("servers").raw(R"([{"url":"/"}])");
  writer.key("security").raw(R"([{"bearer":[]},{"sigv4":[]},{}])");
  writer.key("paths").begin_object();
  for (const auto& [path, methods] : all_paths(contracts)) {
    writer.key(path).begin_object();
    for (const auto& [method, operation] : methods) {
      writer.key(method).raw(operation);
    }
    writer.end_object();
  }
  writer.end_object();
  write_components(writer, contracts);
  writer.end_object();
  return text;
}

}  // namespace waybill::api::jobs
