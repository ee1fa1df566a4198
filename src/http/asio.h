#pragma once

// The one way into Boost.Asio, for the files of this room that need it. Its functions are compiled once, in
// asio.cc.
#define BOOST_ASIO_SEPARATE_COMPILATION
#define BOOST_ASIO_NO_DEPRECATED
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

namespace waybill::http {

namespace asio = boost::asio;
using ErrorCode = boost::system::error_code;
// Knows its executor by type, which spares an indirect call for each operation.
using Socket = asio::basic_stream_socket<asio::ip::tcp, asio::io_context::executor_type>;

}  // namespace waybill::http
