#include "load/job_json.h"

namespace waybill::load {
namespace {

// No text of a job holds a character that JSON would escape.
void add_analysis_attribute(OutBuffer& out, const Job& job) {
  out.add(R"(,"analysisResult":{"M":{"labels":{"L":[)");
  for (std::size_t i = 0; i < job.labels.size(); ++i) {
    const auto& label = job.labels[i];
    out.add(i == 0 ? R"({"M":{"name":{"S":")" : R"(,{"M":{"name":{"S":")").add(label.name);
    out.add(R"("},"confidence":{"N":")").add(label.confidence.view()).add(R"("}}})");
  }
  out.add(R"(]},"description":{"S":")").add(job.description.view());
  out.add(R"("},"safeSearch":{"M":{"adult":{"S":")").add(job.adult);
  out.add(R"("},"violence":{"S":")").add(job.violence).add(R"("}}}}})");
}

void add_edit_attribute(OutBuffer& out, const Job& job) {
  out.add(R"(,"editResult":{"M":{"s3Key":{"S":")").add(job.s3_final_key.view());
  out.add(R"("},"width":{"N":")").add_number(job.width);
  out.add(R"("},"height":{"N":")").add_number(job.height);
  out.add(R"("},"format":{"S":")").add(job.format);
  out.add(R"("},"size":{"N":")").add_number(job.edited_size).add(R"("}}})");
}

}  // namespace

void add_item_json(OutBuffer& out, const Job& job, JobStatus status, int64_t updated_at_ms) {
  out.add(R"({"jobId":{"S":")").add(job.job_id.view());
  out.add(R"("},"userId":{"S":")").add(job.user_id.view());
  out.add(R"("},"status":{"S":")").add(name_of(status));
  out.add(R"("},"createdAt":{"N":")").add_number(job.created_at_ms);
  out.add(R"("},"updatedAt":{"N":")").add_number(updated_at_ms);
  out.add(R"("},"fileSize":{"N":")").add_number(job.file_size);
  out.add(R"("},"fileType":{"S":")").add(job.file_type);
  out.add(R"("},"originalFileName":{"S":")").add(job.original_file_name.view());
  out.add(R"("},"s3TempKey":{"S":")").add(job.s3_temp_key.view());
  out.add(R"("},"s3FinalKey":{"S":")").add(job.s3_final_key.view());
  out.add(R"("},"provider":{"S":")").add(job.provider);
  out.add(R"("},"processingStartedAt":{"N":")").add_number(job.processing_started_at_ms);
  out.add(R"("},"processingCompletedAt":{"N":")").add_number(job.processing_completed_at_ms);
  out.add(R"("})");
  add_analysis_attribute(out, job);
  add_edit_attribute(out, job);
  out.add(R"(,"correlationId":{"S":")").add(job.correlation_id.view());
  out.add(R"("},"traceId":{"S":")").add(job.trace_id.view());
  out.add(R"("},"ttl":{"N":")").add_number(job.ttl_seconds).add(R"("}})");
}

void add_analysis_json(OutBuffer& out, const Job& job) {
  out.add(R"({"labels":[)");
  for (std::size_t i = 0; i < job.labels.size(); ++i) {
    const auto& label = job.labels[i];
    out.add(i == 0 ? R"({"name":")" : R"(,{"name":")").add(label.name);
    out.add(R"(","confidence":)").add(label.confidence.view()).add('}');
  }
  out.add(R"(],"description":")").add(job.description.view());
  out.add(R"(","safeSearch":{"adult":")").add(job.adult);
  out.add(R"(","violence":")").add(job.violence).add(R"("}})");
}

void add_edit_json(OutBuffer& out, const Job& job) {
  out.add(R"({"s3Key":")").add(job.s3_final_key.view());
  out.add(R"(","width":)").add_number(job.width).add(R"(,"height":)").add_number(job.height);
  out.add(R"(,"format":")").add(job.format).add(R"(","size":)").add_number(job.edited_size).add('}');
}

}  // namespace waybill::load
